use kerncast_wire::{Device, NewSample};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The id of what was measured: device, workload, times and readings (UUID version 8, RFC 9562, of their
/// SHA-256). Whoever imports the same file again, anywhere and at any time, sends the same ids.
pub(super) fn of(sample: &NewSample) -> Uuid {
    let NewSample {
        device: Device { vendor, name, .. },
        workload,
        times,
        readings,
        ..
    } = sample;
    let content = serde_json::to_vec(&(vendor, name, workload, times, readings))
        .expect("finite numbers and text keys, written to memory");
    let hash = Sha256::digest(content);
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    Uuid::new_v8(id)
}
