//! Whether offloading to a device pays, by its newest rates of streams.

use kerncast_offload::{OffloadAnswer, OffloadQuestion, Options};
use kerncast_wire::FieldProblem;
use sqlx::{PgPool, types::Json};

use crate::{
    cpu_bound::heavy,
    db::catalogue::streams::{self, Newest},
    http::{Checker, Error, refuse_wrong_fields, unprocessable},
};

/// No machine holds a longer array.
const LONGEST_ARRAY: u64 = 1 << 50;

/// Whether a device pays.
///
/// # Errors
/// The question is not in order, or the device's newest rates do not answer it.
pub(crate) async fn answer(
    pool: &PgPool,
    question: OffloadQuestion,
) -> Result<OffloadAnswer, Error> {
    refuse_wrong_fields(check_question(&question))?;
    let newest = streams::newest(pool, question.device).await?;
    let Newest {
        measured_at,
        rates: Json(rates),
        global_memory_bytes,
    } = newest.ok_or_else(|| {
        let expected =
            "one of GET /v1/streams, whose streams were measured: kerncast offload … --upload on its machine";
        unprocessable("/device", question.device, expected)
    })?;
    let has = global_memory_bytes.and_then(|it| u64::try_from(it).ok());
    let memory = question.device_memory.or_else(|| Some(has? / 4 * 3));
    let memory = memory.ok_or_else(|| {
        let expected = "bytes: nobody has said how much memory the device has";
        unprocessable("/device_memory", "absent", expected)
    })?;
    if let Some(has) = has.filter(|has| memory > *has) {
        let expected = format!("at most {has}, which the device has");
        return Err(unprocessable("/device_memory", memory, expected).into());
    }
    let threads = rates.threads as u64;
    let (work, element, bytes) = (question.work, question.element, question.bytes);
    // A scatter to thousands of windows is planned for a hundred lengths.
    let offload = heavy(move || rates.offload(work, element, bytes, &Options::new(memory)));
    let offload = offload.await?.ok_or_else(|| {
        let expected =
            "a type that this was measured with, and device memory for a few thousand elements";
        unprocessable("/element", element.name(), expected)
    })?;
    Ok(OffloadAnswer {
        device: question.device,
        device_memory: memory,
        threads,
        measured_at,
        offload,
    })
}

fn check_question(question: &OffloadQuestion) -> Vec<FieldProblem> {
    let mut checker = Checker::new("");
    let (bytes, width) = (question.bytes, question.element.bytes() as u64);
    if bytes == 0 || bytes > LONGEST_ARRAY || bytes % width > 0 {
        let expected = format!("a multiple of {width} above 0, at most {LONGEST_ARRAY}");
        checker.wrong("/bytes", bytes, expected);
    }
    if question.device_memory == Some(0) {
        checker.wrong("/device_memory", 0, "more than 0");
    }
    checker.problems
}
