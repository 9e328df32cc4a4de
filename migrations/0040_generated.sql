-- Whether `kerncast generate` has made the kernel: models learn from it and are not judged by it. It is said by a
-- kernel's first sample; later ones that say otherwise are an admin's, or refused.
ALTER TABLE kernels ADD generated boolean NOT NULL DEFAULT false;
