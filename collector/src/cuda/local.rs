//! Addresses of `__local` arguments: OpenCL's driver passes them in shared memory, so a replay must know them.

use super::{Context, CudaError, Device, Grid, function::Function, ptx};

/// Asks the device where a work-group's shared memory begins: the driver keeps the first bytes for
/// itself (1 KiB of them on Hopper). A kernel's `__local` arrays begin there.
pub(super) fn base(device: &Device, ptx: &ptx::Patched) -> Result<u64, CudaError> {
    let probe = ptx.beside(PROBE, ptx::Parameter::Buffer);
    let function = Function::load(device, &probe, "kerncast_shared_base")?;
    let out = device.stream.clone_htod(&[0_u8; 8]).context("8 bytes")?;
    let grid = Grid::new(&[1], &[1])?;
    function.launch(grid, 0, &[device.address(&out)])?;
    let bytes = device.stream.clone_dtoh(&out);
    let bytes = bytes.context("the probe's answer")?;
    device.context.synchronize().context("the probe")?;
    Ok(bytes.try_into().map(u64::from_le_bytes).unwrap_or_default())
}

const PROBE: &str = "\
.entry kerncast_shared_base(.param .u64 out)
{
	.reg .b64 %rd<3>;
	.shared .align 16 .b8 here[16];
	ld.param.u64 %rd1, [out];
	mov.u64 %rd2, here;
	st.global.u64 [%rd1], %rd2;
	ret;
}
";

/// Addresses of `__local` arguments, and the dynamic shared memory that holds them.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Layout {
    /// Address of each argument.
    pub(super) addresses: Vec<u64>,
    /// Dynamic shared memory beyond the kernel's own arrays, bytes.
    pub(super) dynamic: u32,
}

/// Lays out arguments, (bytes, alignment) each, behind `own` bytes of the kernel's own arrays.
pub(super) fn layout(base: u64, own: usize, arguments: &[(usize, usize)]) -> Layout {
    let start = base + own as u64;
    let mut end = start;
    let mut addresses = Vec::new();
    for (bytes, align) in arguments {
        let address = end.next_multiple_of((*align).max(1) as u64);
        addresses.push(address);
        end = address + *bytes as u64;
    }
    Layout {
        addresses,
        // Too much is the driver's to refuse.
        dynamic: u32::try_from(end - start).unwrap_or(u32::MAX),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_follow_the_kernels_own_arrays_aligned() {
        assert_eq!(
            layout(0x400, 6, &[(3, 1), (16, 8), (4, 4)]),
            Layout {
                addresses: vec![0x406, 0x410, 0x420],
                dynamic: 0x424 - 0x406,
            }
        );
        assert_eq!(layout(0x400, 2048, &[]).dynamic, 0);
    }
}
