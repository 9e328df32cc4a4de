//! The timer that calls `kerncast agent run`: systemd's, which the Debian package brings.

use std::{path::Path, process::Command};

const UNIT: &str = "kerncast-agent.timer";
/// Only there where systemd runs the machine: sd_booted(3).
const BOOTED: &str = "/run/systemd/system";
const NO_SYSTEMD: &str = "no systemd runs this machine";

/// What has become of the timer.
pub(crate) enum Timer {
    /// It runs; when next.
    Enabled(String),
    /// Not; why, and what to do.
    Not(String),
}

/// Enables it, where that can be done.
pub(crate) fn enable() -> Timer {
    if !Path::new(BOOTED).is_dir() {
        return Timer::Not(format!(
            "{NO_SYSTEMD}: let cron call `nice -n 10 kerncast agent run` every night"
        ));
    }
    if systemctl(&["cat", UNIT]).is_err() {
        return Timer::Not(format!(
            "{UNIT} is not installed (the Debian package brings it): let cron call `nice -n 10 kerncast agent run` \
             every night"
        ));
    }
    match systemctl(&["enable", "--now", UNIT]) {
        Ok(_) => Timer::Enabled(next().unwrap_or_else(|why| why)),
        Err(why) => Timer::Not(format!(
            "{UNIT} was not enabled ({why}); as root: systemctl enable --now {UNIT}"
        )),
    }
}

/// When it calls next, as systemd writes it.
///
/// # Errors
/// Why it does not.
pub(super) fn next() -> Result<String, String> {
    if !Path::new(BOOTED).is_dir() {
        return Err(format!("{NO_SYSTEMD}; by cron, if at all"));
    }
    let asked = ["show", UNIT, "--property=NextElapseUSecRealtime", "--value"];
    match systemctl(&asked)?.as_str() {
        "" => Err(format!(
            "{UNIT} is not enabled; `kerncast enroll` enables it, or as root: systemctl enable --now {UNIT}"
        )),
        at => Ok(at.to_owned()),
    }
}

/// What it prints.
fn systemctl(arguments: &[&str]) -> Result<String, String> {
    let output = Command::new("systemctl").args(arguments).output();
    let output = output.map_err(|error| format!("systemctl: {error}"))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    match output.status.success() {
        true => Ok(text(&output.stdout)),
        false => Err(text(&output.stderr)),
    }
}
