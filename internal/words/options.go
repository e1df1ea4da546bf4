package words

// NotNil makes an empty list of nil, so that JSON shows [] and not null.
func NotNil(s []string) []string {
	if s == nil {
		return []string{}
	}
	return s
}

// Plain names options without marks.
func Plain(text string) string {
	return Rename(text, func(name string) string { return name })
}

// Name shortens a name for a message.
func Name(s string) string { return Clip(s, 40) }
