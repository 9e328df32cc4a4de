//! Launch files, and generated kernels.

mod generated;
mod launch_file_mistakes;
mod launches;
