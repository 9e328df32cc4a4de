//! One test a mistake: what the message says, and where.

mod counts;
mod files;
mod ncu;
mod nvprof;
mod tidy;

use kerncast_profilers::parse;

#[track_caller]
pub(super) fn refusal(text: &str) -> String {
    parse(text).expect_err("a mistake").to_string()
}

#[track_caller]
pub(super) fn assert_refused(text: &str, message: &str) {
    let refusal = refusal(text);
    assert!(refusal.starts_with(message), "{refusal}");
}

pub(super) const TIDY: &str = "device,kernel,variant,time_s,param:n,ncu:inst\n";

pub(super) const ROCPROFV3: &str = "Dispatch_Id,Kernel_Name,Grid_Size,Workgroup_Size,Counter_Name,Counter_Value,Start_Timestamp,End_Timestamp\n";
