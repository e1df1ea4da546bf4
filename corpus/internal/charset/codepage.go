package charset

import "strconv"

// codePages names the encodings by their numbers in Windows. Encodings of Windows that have the
// number in their name, such as windows-1252, are not listed.
var codePages = map[int]string{
	437: "cp437", 850: "cp850", 852: "cp852", 866: "ibm866", 874: "windows-874",
	932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5", 1200: "utf-16le", 1201: "utf-16be",
	10000: "macintosh", 32768: "macintosh", 20127: "windows-1252", 20866: "koi8-r", 21866: "koi8-u", 20932: "euc-jp",
	50220: "iso-2022-jp", 50221: "iso-2022-jp", 50222: "iso-2022-jp", 51932: "euc-jp", 51949: "euc-kr", 51936: "gbk", 54936: "gb18030", 65001: "utf-8",
}

// CodePage returns the name of the encoding that has a number in Windows. [New] may not know it.
func CodePage(n int) string {
	if name := codePages[n]; name != "" {
		return name
	}
	if 28591 <= n && n <= 28606 {
		return "iso-8859-" + strconv.Itoa(n-28590)
	}
	return "windows-" + strconv.Itoa(n)
}
