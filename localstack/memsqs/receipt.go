package memsqs

import (
	"encoding/base64"
	"encoding/binary"
	"hash/maphash"
)

// receipt names one receive of one message. Its handle is opaque and carries a checksum, so that a handle that this
// server never gave out is told from one that has lapsed.
type receipt struct {
	queue   uint64
	message uint64
	serial  uint64
}

const receiptLength = 4 * 8

// handle returns the receipt as a receipt handle.
func (s *Server) handle(r receipt) string {
	b := make([]byte, 0, receiptLength)
	for _, n := range []uint64{r.queue, r.message, r.serial} {
		b = binary.BigEndian.AppendUint64(b, n)
	}
	b = binary.BigEndian.AppendUint64(b, maphash.Bytes(s.seed, b))
	return base64.URLEncoding.EncodeToString(b)
}

// parseHandle returns the receipt behind a handle that this server gave out for the queue.
func (s *Server) parseHandle(q *queue, handle string) (receipt, error) {
	if handle == "" {
		return receipt{}, missing("ReceiptHandle")
	}
	b, err := base64.URLEncoding.DecodeString(handle)
	if err != nil || len(b) != receiptLength || maphash.Bytes(s.seed, b[:24]) != binary.BigEndian.Uint64(b[24:]) {
		return receipt{}, badHandle(handle)
	}
	var n [3]uint64
	for i := range n {
		n[i] = binary.BigEndian.Uint64(b[8*i:])
	}
	r := receipt{queue: n[0], message: n[1], serial: n[2]}
	if r.queue != q.number {
		return receipt{}, badHandle(handle)
	}
	return r, nil
}

func badHandle(handle string) *Error {
	return newError("ReceiptHandleIsInvalid", "The input receipt handle %q is not a valid receipt handle.", handle)
}
