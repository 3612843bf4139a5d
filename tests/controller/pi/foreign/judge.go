// A judge that shares no code with us: Go's own packages for signed notes and transparency logs look at one proved round.
//
//	judge TABLE-KEY FLOOR-KEY < round.json
//
// prints what it found, and ends with another status than 0 where anything is not as it was signed.
package main

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type row struct {
	Seq  int64    `json:"seq"`
	At   int64    `json:"at"`
	Body string   `json:"body"`
	Path []string `json:"path"`
}

type proof struct {
	Head string `json:"head"`
	Rows []row  `json:"rows"`
}

// A witness signs a head together with the time (C2SP tlog-cosignature), which Go's package does not know by itself.
type witness struct {
	name string
	hash uint32
	key  ed25519.PublicKey
	at   uint64
}

func (w *witness) Name() string    { return w.name }
func (w *witness) KeyHash() uint32 { return w.hash }
func (w *witness) Verify(msg, sig []byte) bool {
	if len(sig) != 8+ed25519.SignatureSize {
		return false
	}
	w.at = binary.BigEndian.Uint64(sig)
	signed := fmt.Sprintf("cosignature/v1\ntime %d\n%s", w.at, msg)
	return ed25519.Verify(w.key, []byte(signed), sig[8:])
}

func witnessOf(line string) *witness {
	parts := strings.SplitN(line, "+", 3)
	hash, err := hex.DecodeString(parts[1])
	check(err)
	octets, err := base64.StdEncoding.DecodeString(parts[2])
	check(err)
	if octets[0] != 4 {
		fail("the second key is no witness's")
	}
	return &witness{name: parts[0], hash: binary.BigEndian.Uint32(hash), key: octets[1:]}
}

func check(err error) {
	if err != nil {
		fail(err.Error())
	}
}

func fail(why string) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(1)
}

func main() {
	var given proof
	check(json.NewDecoder(os.Stdin).Decode(&given))
	table, err := note.NewVerifier(os.Args[1])
	check(err)
	floor := witnessOf(os.Args[2])
	opened, err := note.Open([]byte(given.Head), note.VerifierList(table, floor))
	check(err)
	if len(opened.Sigs) != 2 {
		fail(fmt.Sprintf("%d of two signatures are there", len(opened.Sigs)))
	}
	lines := strings.Split(opened.Text, "\n")
	size, err := strconv.ParseInt(lines[1], 10, 64)
	check(err)
	root, err := tlog.ParseHash(lines[2])
	check(err)
	for _, one := range given.Rows {
		var path tlog.RecordProof
		for _, text := range one.Path {
			hash, err := tlog.ParseHash(text)
			check(err)
			path = append(path, hash)
		}
		leaf := tlog.RecordHash([]byte(fmt.Sprintf("%d|%d|%s", one.Seq, one.At, one.Body)))
		check(tlog.CheckRecord(path, size, root, one.Seq-1, leaf))
	}
	fmt.Printf("%s: %d rows among %d, signed by %s and at %d by %s\n", lines[0], len(given.Rows), size, table.Name(), floor.at, floor.name)
}
