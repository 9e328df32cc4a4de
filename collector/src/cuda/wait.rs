//! Keeps the device busy while the host prepares a launch. A profiler delays every launch by tens of microseconds,
//! which an idle GPU would spend between the start event and its launch.

use super::{CudaError, Device, Grid, function::Function, ptx};

/// The wait, nanoseconds: ten times the longest delay by a profiler that we saw.
const WAIT_NS: u64 = 400_000;

/// A kernel that keeps the device busy.
pub(super) struct Wait(Function);

impl Wait {
    /// Loads the kernel for the device that `ptx` was made for.
    pub(super) fn new(device: &Device, ptx: &ptx::Patched) -> Result<Self, CudaError> {
        let program = ptx.beside(PROGRAM, ptx::Parameter::Value { bytes: 8 });
        Function::load(device, &program, "kerncast_wait").map(Self)
    }

    /// Has the device wait, and returns at once.
    pub(super) fn launch(&self) -> Result<(), CudaError> {
        let grid = Grid::new(&[1], &[1])?;
        self.0.launch(grid, 0, &[WAIT_NS.to_le_bytes().into()])
    }
}

const PROGRAM: &str = "\
.entry kerncast_wait(.param .u64 nanoseconds)
{
	.reg .pred %p<2>;
	.reg .b64 %rd<5>;
	ld.param.u64 %rd1, [nanoseconds];
	mov.u64 %rd2, %globaltimer;
$again:
	mov.u64 %rd3, %globaltimer;
	sub.u64 %rd4, %rd3, %rd2;
	setp.lt.u64 %p1, %rd4, %rd1;
	@%p1 bra $again;
	ret;
}
";
