use std::{
    fs::{Permissions, set_permissions},
    io,
    os::unix::{
        fs::{PermissionsExt, chown},
        process::CommandExt,
    },
    path::Path,
    process::Command,
};

use anyhow::Context;

use crate::upkeep::data_folder::is_root;

const PATH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
/// The user that Debian's package makes.
const USER: &str = "postgres";

/// Whom Postgres runs as: Debian's user where we are root (Postgres refuses to be root), else ourselves.
#[derive(Clone, Copy)]
pub(super) struct Account {
    /// User and group to drop to.
    other: Option<(u32, u32)>,
}

impl Account {
    pub(super) fn find() -> anyhow::Result<Self> {
        let other = if is_root() {
            Some((id("--user")?, id("--group")?))
        } else {
            None
        };
        Ok(Self { other })
    }

    /// A command that runs as this account, in a process group of its own (Ctrl-C is for us alone) and
    /// without our environment, whose PG… variables would lead it astray. With `death_signal` it gets
    /// that signal when our thread dies; `setpriv` asks for it after the change of user, which would
    /// clear it.
    pub(super) fn command(self, program: &Path, death_signal: Option<&str>) -> Command {
        let mut command = Command::new("setpriv");
        if self.other.is_some() {
            let (user, group) = (format!("--reuid={USER}"), format!("--regid={USER}"));
            command.args([user, group, "--init-groups".to_owned()]);
        }
        if let Some(signal) = death_signal {
            command.arg(format!("--pdeathsig={signal}"));
        }
        command
            .arg(program)
            .process_group(0)
            .current_dir("/")
            .env_clear();
        command.env("LC_ALL", "C.UTF-8").env("PATH", PATH);
        command
    }

    /// Gives a folder to the account, for nobody else to enter.
    pub(super) fn own(self, folder: &Path) -> io::Result<()> {
        if let Some((user, group)) = self.other {
            chown(folder, Some(user), Some(group))?;
        }
        set_permissions(folder, Permissions::from_mode(0o700))
    }

    /// Whether the account can get into a folder of its own.
    pub(super) fn reaches(self, folder: &Path) -> anyhow::Result<bool> {
        let mut test = self.command(Path::new("test"), None);
        let status = test.arg("-w").arg(folder).status();
        Ok(status.context("setpriv could not be run")?.success())
    }
}

fn id(which: &str) -> anyhow::Result<u32> {
    let output = Command::new("id").args([which, USER]).output();
    let id = output.context("id could not be run")?.stdout;
    String::from_utf8_lossy(&id).trim().parse().context(
        "Postgres refuses to run as root, and there is no user `postgres` to run it as. Debian's package postgresql \
         makes one",
    )
}
