"""The published studies, rerun: what was published, the trainings, and both side by side. Import as `boardgym.studies`.

Within the package only the command line imports it. It needs the extra `studies`.
"""

from boardgym.wrappers.missing import missing_extra

try:
    import scipy  # noqa: F401
except ModuleNotFoundError as error:
    raise missing_extra(error, "SciPy", "boardgym[studies]") from error

assert __name__.startswith("boardgym."), "import boardgym.studies, not studies: a second copy of every module would load"
