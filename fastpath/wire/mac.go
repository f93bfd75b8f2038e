package wire

import (
	"crypto/hmac"
	"crypto/sha256"
)

// LoginMAC returns what l.Mac must be under a client's key: HMAC-SHA256 over
// the nonce of the server's Hello and all bytes of the Login block before the
// mac. l.Mac itself has no part in it. Compare in constant time (hmac.Equal).
// It allocates: it is for logins, not for the order path.
func LoginMAC(key []byte, serverNonce [16]byte, l *Login) [32]byte {
	_, v := appendLoginView(nil)
	l.encode(v)
	mac := hmac.New(sha256.New, key)
	mac.Write(serverNonce[:])
	mac.Write(v[:loginMacOffset])
	return [32]byte(mac.Sum(nil))
}
