"""Computes the list of packages, so that a new folder is never left out of a release; all else is in pyproject.toml.

`baselines/`, `studies/` and `wrappers/` lie at the top of the repository and are installed as `boardgym.baselines`,
`boardgym.studies` and `boardgym.wrappers`. The links of these names within `boardgym/` are for type checkers, which have no
other way to find a package that lies elsewhere; they are passed over here.
"""

from setuptools import find_packages, setup

BESIDE = ("baselines", "studies", "wrappers")
FOLDERS = {"boardgym": "boardgym", **{f"boardgym.{name}": name for name in BESIDE}}
LINKS = [pattern for name in BESIDE for pattern in (name, f"{name}.*")]

packages = []
for package, folder in FOLDERS.items():
    packages += [package, *(f"{package}.{name}" for name in find_packages(folder, exclude=LINKS))]

setup(packages=sorted(packages), package_dir=FOLDERS)
