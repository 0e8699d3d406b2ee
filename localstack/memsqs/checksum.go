package memsqs

import (
	"crypto/md5" //nolint:gosec // SQS's protocol asks for MD5; nothing is protected by it
	"encoding/binary"
	"encoding/hex"
	"hash"
	"io"
	"maps"
	"slices"
	"strings"
)

// The transport types in an attribute's checksum.
const (
	transportString = 1
	transportBinary = 2
)

// bodyChecksum is the MD5 of a message's body, in hex.
func bodyChecksum(body string) string {
	h := md5.New() //nolint:gosec // see the import
	_, _ = io.WriteString(h, body)
	return hex.EncodeToString(h.Sum(nil))
}

// attributesChecksum is the MD5 over the attributes in the order of their names, each as name, type, transport type
// and value with their lengths. No attributes have no checksum.
func attributesChecksum(attributes map[string]attributeValue) string {
	if len(attributes) == 0 {
		return ""
	}
	h := md5.New() //nolint:gosec // see the import
	for _, name := range slices.Sorted(maps.Keys(attributes)) {
		attributes[name].digest(h, name)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// digest adds one attribute to the checksum.
func (v attributeValue) digest(h hash.Hash, name string) {
	writeCounted(h, name)
	writeCounted(h, v.DataType)
	if strings.HasPrefix(v.DataType, "Binary") {
		h.Write([]byte{transportBinary})
		writeCounted(h, string(v.BinaryValue))
		return
	}
	h.Write([]byte{transportString})
	writeCounted(h, v.text())
}

func writeCounted(h hash.Hash, s string) {
	var length [4]byte
	binary.BigEndian.PutUint32(length[:], uint32(len(s)))
	h.Write(length[:])
	_, _ = io.WriteString(h, s)
}
