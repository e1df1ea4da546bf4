"""Puts the shared library, and the private BLAS beside it, into the wheel.

It is the file that EIGENMAP_LIBRARY names, or one that .ci/lib builds from the repository around
this folder, which needs Go and a C compiler. EIGENMAP_PUREGO=1 builds it without OpenBLAS, LAPACK
and ARPACK; so does a machine without their development files.
"""

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

HERE = Path(__file__).resolve().parent


BLAS = "libeigenmap_blas.so.0"


def copy_library(library, out):
    """Copies the library into the file out, and the BLAS that it finds beside itself, if it has one."""
    shutil.copyfile(library, out)
    blas = Path(library).resolve().with_name(BLAS)
    if blas.exists():
        shutil.copyfile(blas, out.with_name(BLAS))


def build_library(out):
    """Builds the library into the file out, and its BLAS beside it."""
    script = HERE.parent / ".ci" / "lib"
    if not script.exists():
        raise SystemExit(
            "eigenmap: build the package inside its repository (pip install ./python), or set "
            "EIGENMAP_LIBRARY to a libeigenmap.so that make lib built"
        )
    compiler = os.environ.get("CC", "gcc").split()[0]
    if not shutil.which(compiler):
        raise SystemExit(f"eigenmap: a C compiler is needed, and {compiler!r} was not found: install gcc, or set CC, or set EIGENMAP_LIBRARY to a libeigenmap.so")
    go = subprocess.run([str(script.with_name("go-version")), os.environ.get("GO", "go")], stderr=subprocess.PIPE, text=True)
    if go.returncode != 0:
        raise SystemExit(f"eigenmap: {go.stderr.strip()} Or set EIGENMAP_LIBRARY to a libeigenmap.so.")
    pure = os.environ.get("EIGENMAP_PUREGO") == "1" or not _links()
    with tempfile.TemporaryDirectory() as folder:
        command = [str(script), *(["--purego"] if pure else []), "--shared", folder]
        if subprocess.run(command).returncode != 0:
            raise SystemExit("eigenmap: the library could not be built; what the build printed says why")
        copy_library(Path(folder) / "libeigenmap.so.0", out)


def _links():
    """Whether a program links with OpenBLAS, LAPACKE and ARPACK here."""
    command = [os.environ.get("CC", "cc"), "-x", "c", "-o", os.devnull, "-", "-lopenblas", "-llapacke", "-larpack"]
    try:
        return subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True).returncode == 0
    except OSError:
        return False


class BuildWithLibrary(build_py):
    def run(self):
        super().run()
        out = Path(self.build_lib) / "eigenmap" / "libeigenmap.so"
        out.parent.mkdir(parents=True, exist_ok=True)
        given = os.environ.get("EIGENMAP_LIBRARY")
        if given:
            copy_library(given, out)
        else:
            build_library(out)


# The processors that the header of an ELF file names (e_machine), as tags of wheels spell them.
PROCESSORS = {62: "x86_64", 183: "aarch64"}


def _processor(library):
    """The processor that a library was built for, or None where its header does not say."""
    with open(library, "rb") as file:
        header = file.read(20)
    if not header.startswith(b"\x7fELF"):
        return None
    return PROCESSORS.get(int.from_bytes(header[18:20], "little"))


class PlatformWheel(bdist_wheel):
    """A wheel for every Python 3 of the library's platform: the library is no extension module.

    The platform is this one, but for the processor of a library that EIGENMAP_LIBRARY names: it
    may come from a cross compiler.
    """

    def get_tag(self):
        _, _, platform = super().get_tag()
        given = os.environ.get("EIGENMAP_LIBRARY")
        processor = _processor(given) if given else None
        return "py3", "none", f"linux_{processor}" if processor else platform


class WithLibrary(Distribution):
    def has_ext_modules(self):
        return True


setup(distclass=WithLibrary, cmdclass={"build_py": BuildWithLibrary, "bdist_wheel": PlatformWheel})
