"""scikit-learn's own checks of every estimator."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

import eigenmap

_UNKNOWN = "-1 is an unknown label, as in scikit-learn's LabelPropagation, and the check uses it as a class"
_NEGATIVE = "the check's data have negative entries, which the method refuses (positive_only)"
_COLUMNS = "predict_proba has a column for each cluster, and the check expects one for each class of y"
_GIVEN = "y fixes the topics of labelled rows, and transform does not know the labels"

EXPECTED = {
    "CoClustering": {
        "check_clustering": _NEGATIVE,
        "check_fit2d_1feature": "one term has one dimension at most, which the error says in other words",
    },
    "NMF": {"check_clustering": _NEGATIVE},
    "MiniBatchNMF": {"check_clustering": _NEGATIVE},
    "PLSA": {
        "check_clustering": _NEGATIVE,
        "check_estimator_sparse_array": _COLUMNS,
        "check_estimator_sparse_matrix": _COLUMNS,
        "check_transformer_general": _GIVEN,
        "check_transformer_data_not_an_array": _GIVEN,
    },
    "GaussianMixture": {"check_estimator_sparse_array": _COLUMNS, "check_estimator_sparse_matrix": _COLUMNS},
    "LapGMM": {"check_estimator_sparse_array": _COLUMNS, "check_estimator_sparse_matrix": _COLUMNS},
    "SPG": {"check_transformer_n_iter": "the library does not count the iterations of the path"},
    "SemiLDC": {"check_classifiers_classes": _UNKNOWN},
    "ConstrainedKMeans": {"check_classifiers_classes": _UNKNOWN},
    "SeededKMeans": {"check_classifiers_classes": _UNKNOWN},
    "Pckmeans": {"check_classifiers_classes": _UNKNOWN},
    "TSVM": {"check_classifiers_classes": _UNKNOWN},
    "LogisticRegression": {"check_classifiers_classes": _UNKNOWN},
    "KernelRidge": {"check_classifiers_classes": _UNKNOWN},
    "Committee": {"check_classifiers_classes": _UNKNOWN},
}


CLASSES = [*eigenmap.all_estimators().values(), eigenmap.MiniBatchKMeans, eigenmap.MiniBatchNMF]


@parametrize_with_checks(
    [cls() for cls in CLASSES],
    expected_failed_checks=lambda e: EXPECTED.get(type(e).__name__, {}),
)
def test_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("name", EXPECTED)
def test_expected_failures_are_of_estimators(name):
    assert name in {cls.__name__ for cls in CLASSES}
