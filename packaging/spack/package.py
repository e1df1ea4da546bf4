# A recipe for Spack 0.23 and newer. Copy it to packages/eigenmap/package.py of a repository of your own
# (spack repo create FOLDER mine; spack repo add FOLDER, from 1.0 on FOLDER/spack_repo/mine), then:
# spack install eigenmap

import os

from spack.package import *

try:  # Spack 1.0; before, spack.package has it
    from spack_repo.builtin.build_systems.makefile import MakefilePackage
except ImportError:
    pass


class Eigenmap(MakefilePackage):
    """Spectral embedding and clustering of documents by the eigenvectors of graph Laplacians."""

    homepage = "https://github.com/eigenmap/eigenmap"
    git = "https://github.com/eigenmap/eigenmap.git"

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("blas", default=True, description="with OpenBLAS, LAPACK and ARPACK; without them pure Go")

    depends_on("c", type="build")
    depends_on("go@1.24:", type="build")
    depends_on("openblas~ilp64 symbol_suffix=none", when="+blas")
    depends_on("arpack-ng", when="+blas")

    def setup_build_environment(self, env):
        # Modules and what is compiled stay in the folder of the build.
        for name in ("GOPATH", "GOCACHE"):
            env.set(name, join_path(self.stage.path, name.lower()))
        env.set("GOFLAGS", "-modcacherw -buildvcs=false")
        if self.spec.satisfies("+blas"):
            folders = [self.spec[name].libs.directories[0] for name in ("openblas", "arpack-ng")]
            env.set("CGO_LDFLAGS", " ".join([*(f"-L{f} -Wl,-rpath,{f}" for f in folders), f"-L{self._links()}"]))
            env.set("CGO_CFLAGS", f"-I{self.spec['openblas'].prefix.include}")

    def _links(self):
        return join_path(self.stage.path, "links")

    def edit(self, spec, prefix):
        if spec.satisfies("+blas"):  # OpenBLAS has LAPACKE inside; Debian has it in a library of its own
            mkdirp(self._links())
            link = join_path(self._links(), "liblapacke" + os.path.splitext(spec["openblas"].libs[0])[1])
            if not os.path.lexists(link):  # of an earlier build in the same folder
                symlink(spec["openblas"].libs[0], link)

    @property
    def build_targets(self):
        # deps, which asks for Debian's packages, is left out: DEPS is what a build depends on.
        return ["build", "DEPS="] + ([] if self.spec.satisfies("+blas") else ["PUREGO=1"])

    @property
    def install_targets(self):
        return ["install", f"PREFIX={self.prefix}", *self.build_targets[1:]]
