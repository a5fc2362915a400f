"""Computes the list of packages, so that a new folder is never left out of a release; all else is in pyproject.toml.

`baselines/` and `wrappers/` lie at the top of the repository and are installed as `boardgym.baselines` and
`boardgym.wrappers`. The two links of these names within `boardgym/` are for type checkers, and are passed over here.
"""

from setuptools import find_packages, setup

FOLDERS = {"boardgym": "boardgym", "boardgym.baselines": "baselines", "boardgym.wrappers": "wrappers"}
LINKS = ["baselines", "baselines.*", "wrappers", "wrappers.*"]

packages = []
for package, folder in FOLDERS.items():
    packages += [package, *(f"{package}.{name}" for name in find_packages(folder, exclude=LINKS))]

setup(packages=sorted(packages), package_dir=FOLDERS)
