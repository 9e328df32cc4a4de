-- Validations leave regions out too: kernels that do alike.
ALTER TABLE hold_outs DROP CONSTRAINT hold_outs_key_check;
ALTER TABLE hold_outs ADD CONSTRAINT hold_outs_key_check
    CHECK (key IN ('row', 'kernel', 'family', 'region', 'device'));
