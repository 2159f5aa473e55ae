"""JSON text (RFC 8259) and plain values."""
