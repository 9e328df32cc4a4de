//! Arrays larger than a device, through `kerncast stream` and `kerncast offload`.

mod kernels;
mod stream;
