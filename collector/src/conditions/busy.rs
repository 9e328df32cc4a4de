//! Whether somebody else computes on a device, while we do not.

use std::{fs, thread, time::Duration};

use kerncast_opencl::DeviceKind;

use super::Observer;
use crate::units::joined;

/// The wait before looking: our own work is over by then, also in the driver's average.
const PAUSE: Duration = Duration::from_secs(1);
/// Utilisation of a GPU that counts as busy, per cent; drawing a desktop takes less.
const BUSY_GPU_PERCENT: u32 = 10;
/// Share of all cores' time that counts as busy.
const BUSY_CPU_SHARE: f64 = 0.25;

impl Observer {
    /// Who computes on the device, in words; none where nobody does. Also none for GPUs other than NVIDIA's, which do
    /// not tell. Takes a second.
    pub fn busy(&self) -> Option<String> {
        let name = &self.facts.name;
        if self.facts.kind == DeviceKind::Cpu {
            let before = cores()?;
            thread::sleep(PAUSE);
            let utilization = share(before, cores()?)?;
            return (utilization >= BUSY_CPU_SHARE).then(|| {
                format!(
                    "others use {:.0} % of the cores of {name}",
                    100.0 * utilization
                )
            });
        }
        let device = self.device().ok()?;
        thread::sleep(PAUSE);
        let utilization = device.utilization_percent()?;
        let processes = device.snapshot().processes.unwrap_or_default();
        let by = match processes.len() {
            0 => String::new(),
            _ => format!(" (processes {})", joined(&processes, ", ")),
        };
        (utilization >= BUSY_GPU_PERCENT)
            .then(|| format!("others use {utilization} % of {name}{by}"))
    }
}

/// Ticks of all cores since the start: total, and idle.
type Ticks = [u64; 2];

fn cores() -> Option<Ticks> {
    ticks(&fs::read_to_string("/proc/stat").ok()?)
}

/// Reads the ticks in the line `cpu user nice system idle iowait irq softirq steal …` of proc_stat(5).
fn ticks(stat: &str) -> Option<Ticks> {
    let line = stat.lines().find_map(|line| line.strip_prefix("cpu "))?;
    let times = line.split_whitespace().take(8);
    let times: Option<Vec<u64>> = times.map(|it| it.parse().ok()).collect();
    let times = times.filter(|times| times.len() >= 5)?;
    Some([times.iter().sum(), times[3] + times[4]])
}

#[expect(clippy::cast_precision_loss, reason = "ticks of a second")]
fn share([all, idle]: Ticks, [later, later_idle]: Ticks) -> Option<f64> {
    let (all, idle) = (later.checked_sub(all)?, later_idle.saturating_sub(idle));
    (all > 0).then(|| 1.0 - idle as f64 / all as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_what_is_neither_idle_nor_waiting() {
        let before = ticks("cpu  10 0 10 70 10 0 0 0 5 0\ncpu0 1 2 3\n").expect("ticks");
        assert_eq!(before, [100, 80]);
        let after = ticks("cpu  30 5 15 120 20 4 3 3 9 0\n").expect("ticks");
        assert_eq!(share(before, after), Some(0.4));
        assert_eq!(share(before, before), None);
        assert_eq!(ticks("cpu  1 2\n"), None);
        assert_eq!(ticks("intr 1\n"), None);
    }
}
