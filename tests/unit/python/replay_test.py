"""Builds the Python module of python/ in a folder and runs its tests: replay_test.py SOURCE FOLDER COMPILER

Exits with 77, which CTest shows as skipped, where the interpreter lacks nanobind, pytest or NumPy.
"""
import importlib.util
import os
import pathlib
import shutil
import subprocess
import sys


def main():
    source, folder, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    missing = [name for name in ("nanobind", "pytest", "numpy") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"skipped: {sys.executable} has no {' and no '.join(missing)}; pip install {' '.join(missing)}")
        return 77
    package = folder / "fdg_replay"
    package.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cmake", "-S", source / "python", "-B", folder / "build", "-G", "Ninja",
                    f"-DCMAKE_CXX_COMPILER={compiler}", f"-DPython_EXECUTABLE={sys.executable}"], check=True)
    subprocess.run(["ninja", "-C", folder / "build", "-j2"], check=True)
    for module in (source / "python/fdg_replay").glob("*.py"):
        shutil.copy(module, package)
    for module in (folder / "build").glob("_rows*.so"):
        shutil.copy(module, package)
    tests = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", source / "python/tests"],
                           env={**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"})
    return tests.returncode


sys.exit(main())
