package corpus

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// times are n lines, each made of its number.
func times(n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

// Tables of numbers without a header have their classes in the first or the last column, and
// numbers of documents before it. A column with one value is no class.
func TestKindUnnamedColumns(t *testing.T) {
	measured := func(i int) string {
		return fmt.Sprintf("%d.%02d,%d.5,%d.25,%d", i*7%13, i%89, i*5%17, i*3%11, 100+i*37%83)
	}
	answers := func(i int) string { return fmt.Sprintf("%d,%d,%d,%d,%d", 1+i%3, 1+i*i%5, 1+i/2%4, 1+i/3%5, 1+i%2) }
	checkKinds(t, []kind{
		{name: "wine.data", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s", 1+i%3, measured(i)) }), rows: 60, cols: 4, classes: 3, note: "The classes are column 1"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%s,%d", measured(i), i%2) }), rows: 60, cols: 4, classes: 2, note: "The classes are column 5"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s", i%2*2-1, measured(i)) }), rows: 60, cols: 4, classes: 2},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", 1000000+i*7919%9973, measured(i), i%2*2+2) }), rows: 60, cols: 4, classes: 2, note: "Column 1 holds numbers that look like ids"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", 1000000+i*7919%9973, measured(i), i%2*2+2) }), opt: ReadOptions{IDColumn: "none", LabelColumn: "none"}, rows: 60, cols: 6},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d,%s,%d", i%2, measured(i), i%3) }), rows: 60, cols: 6, note: "No column of classes"},
		{name: "a.csv", content: times(60, func(i int) string { return fmt.Sprintf("%d.0625,%s", i%3, measured(i)) }), rows: 60, cols: 5},
		{name: "a.csv", content: times(60, answers), rows: 60, cols: 5, note: "No column of classes"},
		{name: "a.csv", content: "x,y,kind\n" + times(60, func(i int) string { return fmt.Sprintf("%d,%d.5,transfer", i*7%13, i*5%17) }), rows: 60, cols: 2, note: "Column 3 (kind)"},
		{name: "a.csv", content: "text,category\n" + times(60, func(i int) string { return fmt.Sprintf("some words of row %d about the engine,bank", i) }), rows: 60, note: "Column 2 (category) has the same value in all rows, which is no class"},
		{name: "a.csv", content: "text,category\n" + times(60, func(i int) string { return fmt.Sprintf("some words of row %d about the engine,bank", i) }), opt: ReadOptions{LabelColumn: "category"}, rows: 60, classes: 1},
	})
}

// Messages in a Maildir are decoded, whatever their names, the folders are no classes and what the
// server writes is no text. A saved page in MIME is one too.
func TestMaildir(t *testing.T) {
	message := func(text, encoding string) string {
		return "Date: Wed, 03 Jan 2024 09:00:00 +0000\nFrom: Ann <a@example.org>\nSubject: a car\nMessage-ID: <1@x>\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: " + encoding + "\n\n" + text
	}
	encoded := base64.StdEncoding.EncodeToString([]byte("the engine is loud"))
	root := makeFolder(t, map[string]string{
		"cur/1.M1.host:2,S": message(encoded, "base64"), "cur/2.M1.host:2,S": message("the en=\ngine is loud", "quoted-printable"), "new/3.M1.host": message("the engine is loud", "7bit"),
		"dovecot-uidlist": "3 V1 words of the server\n", "subscriptions": "Sent\n",
	})
	c := must.Get(Read(t.Context(), root, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if want := []string{"car", "engine", "loud"}; c.Len() != 3 || !slices.Equal(c.Terms, want) && !slices.Equal(c.Terms, []string{"car", "engin", "loud"}) {
		t.Errorf("documents %q, terms %q, want %q", c.IDs, c.Terms, want)
	}
	if c.Labels != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "(Maildir)") {
		t.Errorf("classes %q, notes %q", c.ClassNames, c.Notes)
	}
	if c := must.Get(Read(t.Context(), root, ReadOptions{ClassFolder: "first", Text: TextOptions{MinDF: 1}}))(t); len(c.ClassNames) != 2 {
		t.Errorf("classes %q", c.ClassNames)
	}
	page := "From: <Saved by Blink>\nSubject: A road\nMIME-Version: 1.0\nContent-Type: multipart/related; boundary=\"x\"\n\n--x\nContent-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p class=3D\"a\">hou=\nses</p>\n--x\nContent-Type: text/css\n\n.a {color: red}\n--x--\n"
	if c := must.Get(Read(t.Context(), makeFolder(t, map[string]string{"a/1.mhtml": page, "a/2.mhtml": page}), ReadOptions{Text: TextOptions{MinDF: 1}}))(t); len(c.Terms) != 2 {
		t.Errorf("terms %q", c.Terms)
	}
}

// The name of one folder that holds some of the texts is no class, and a note says so.
func TestOneFolderNote(t *testing.T) {
	c := must.Get(Read(t.Context(), makeFolder(t, map[string]string{"a/1.txt": "some words", "a/2.txt": "more words", "3.txt": "other words"}), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if c.Labels != nil || !strings.Contains(strings.Join(c.Notes, "\n"), "The one folder, a, holds 2 of the 3 texts") {
		t.Errorf("notes %q", c.Notes)
	}
}

// Logs that name their columns, lists of SAP, tables of IPAC and chats of LINE are tables. Titles
// stand above tables of any separator with remarks below, and two rows name columns.
func TestKindOwnersTables(t *testing.T) {
	const zeek = "#separator \\x09\n#set_separator\t,\n#path\tconn\n#fields\tts\tproto\tsize\tlong\n#types\ttime\tenum\tcount\tcount\n"
	const iis = "#Software: Internet Information Services\n#Version: 1.0\n#Fields: date sc-bytes cs-bytes time-taken\n"
	bytes := func(i int) string { return fmt.Sprintf("2024-01-%02d %d %d %d", 1+i%28, i*7%13, i*5%17, i*3%19) }
	const rule = "-----------------------------\n"
	sap := "List of stock   3\n\n" + rule + "|Plant|Text      |     Qty|  Value|\n" + rule
	stock := func(i int) string { return fmt.Sprintf("|10%02d |pump %4d |%7d |%6d-|", i, i, i*7%13, i*5%17) }
	const ipac = "\\fixlen = T\n\\ a | remark\n|   ra    |  mag  | name   |\n| double  |double | char   |\n|  deg    | mag   |        |\n"
	star := func(i int) string {
		return fmt.Sprintf("  %7.3f  %6.2f  star %02d", float64(i*37%360), float64(i*7%13)/4, i)
	}
	chat := "[LINE] Chat history with Bob\nSaved on: 2024/01/03 09:00\n\n2024/01/03(Wed)\n" + times(20, func(i int) string { return fmt.Sprintf("09:%02d\tAnn\tthe engine of car %d", i, i) }) + "and more of it\n09:40\tBob joined the group.\n"
	region := func(i int) string { return fmt.Sprintf("Region %c;%d;%d;%d", 'A'+i, i*7%13+1, i*5%17+1, i*3%19+1) }
	checkKinds(t, []kind{
		{name: "conn.log", content: zeek + times(20, func(i int) string { return fmt.Sprintf("17042724%02d.5\ttcp\t%d\t%d", i, i*7%13, i*5%17) }) + "#close\t2024-01-03\n", rows: 20, cols: 2, ids: true, terms: "size long", note: "line #Fields names the columns"},
		{name: "conn.log", content: zeek + times(20, func(i int) string { return fmt.Sprintf("17042724%02d.5\ttcp\t%d\t%d", i, i*7%13, i*5%17) }) + "1\t2\n", refused: "line 26: has 2 fields"},
		{name: "u_ex.log", content: iis + times(20, bytes) + iis + times(20, bytes), rows: 40, cols: 3, terms: "sc-bytes cs-bytes time-taken"},
		{name: "a.txt", content: sap + times(20, stock) + rule + sap[len("List of stock   3\n\n"):] + times(5, stock) + "|*    |          |    99 |   99 |\n" + rule, rows: 25, note: "as SAP prints it"},
		{name: "a.tbl", content: ipac + times(20, star), rows: 20, cols: 2, ids: true, terms: "ra mag", note: "a table of IPAC"},
		{name: "chat.txt", content: chat, rows: 20, note: "a chat of LINE"},
		{name: "a.ecsv", content: "# %ECSV 1.0\n# - {name: ra, unit: deg, datatype: float64}\n# - {name: mag, datatype: float64}\n# schema: astropy\nra mag\n" + times(20, func(i int) string { return fmt.Sprintf("%d.5 %d.25", i*7%13, i*5%17) }), rows: 20, cols: 2, terms: "ra mag"},
		{name: "auto-mpg.data", content: times(20, func(i int) string {
			return fmt.Sprintf("%d.0   8   %d.0   %d.   %d  1\t\"ford model %d\"", i*7%13, i*5%17, 3000+i, i*3%19, i)
		}), rows: 20, cols: 6, ids: true},
		{name: "a.data", content: times(60, func(i int) string {
			return fmt.Sprintf("%d.5,%d.5,%d.5,%d.5,ford model number %d", i*7%13, i*5%17, i*3%19, i*11%23, i)
		}), rows: 60, cols: 4, ids: true},
		{name: "a.csv", content: "Table 12411\nPopulation;;;\nBy state;;;\nState;Day;Day;Day\n;31.12.2020;31.12.2021;31.12.2022\n" + times(16, region) + "__________\n(C) Office, 2024\n", rows: 16, cols: 3, ids: true, note: "The first two lines are one header"},
		{name: "a.csv", content: "\"Bureau of Statistics\"\n\"Labour, by region\"\n\n\"Region\",\"Employed\",\"Rate\"\n" + times(16, func(i int) string { return fmt.Sprintf("Region %d,%d,%d", i, i*7%13, i*5%17) }) + "\n\"© Office\"\n", rows: 16, cols: 2, ids: true, note: "2 lines above the header"},
		{name: "dmesg.txt", content: times(20, func(i int) string { return fmt.Sprintf("[   %d.000] usb device %d found", i, i) }), refused: "give ‹input-format› lines"},
		{name: "a.txt", content: "[1, 2]\n[3, 4]\n", refused: "holds lists of numbers in brackets"},
	})
}

// Files of banks, laboratories and archives are named, with the way to what is read.
func TestKindOwnersFiles(t *testing.T) {
	dbf := make([]byte, 65)
	copy(dbf, "\x03\x7c\x01\x03\x02\x00\x00\x00\x41\x00\x0b\x00")
	copy(dbf[32:], "NAME\x00\x00\x00\x00\x00\x00\x00C")
	dbf[64] = '\r'
	checkKinds(t, []kind{
		{name: "a.ofx", content: "OFXHEADER:100\nDATA:OFXSGML\n\n<OFX>\n<NAME>a shop\n", refused: "(OFX)"},
		{name: "a.qif", content: "!Type:Bank\nD01/02/2024\nPa shop\n^\n", refused: "(QIF)"},
		{name: "a.sta", content: ":20:START\r\n:25:1/2\r\n:86:105?20rent of January\r\n", refused: "(MT940)"},
		{name: "a.vcf", content: "BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEND:VCARD\r\n", refused: "(vCard)"},
		{name: "a.pgn", content: "[Event \"Open\"]\n[Site \"x\"]\n\n1. e4 e5 1-0\n", refused: "(PGN)"},
		{name: "a.px", content: "CHARSET=\"ANSI\";\nTITLE=\"People\";\nDATA=\n1 2\n;\n", refused: "PC-Axis"},
		{name: "a.jdx", content: "##TITLE=ETHANOL\n##JCAMP-DX=4.24\n##XYDATA=(X++(Y..Y))\n450 1 2 3\n454 2 3 4\n##END=\n", refused: "(JCAMP-DX)"},
		{name: "a.mgf", content: "BEGIN IONS\nTITLE=1\n100.5 2\n120.5 3\nEND IONS\n", refused: "(MGF)"},
		{name: "a.ped", content: strings.Repeat("F1 I1 0 0 1 2 A A A G G G A A A G\n", 3), refused: "--recode A"},
		{name: "a.ts", content: "#comment\n@problemName Italy\n@data\n1,2,3:1\n2,3,4:2\n", refused: "time series"},
		{name: "a.txt", content: strings.Repeat("1 1.0 'a|text the engine is loud |num price:0.5\n", 3), refused: "Vowpal Wabbit"},
		{name: "a.txt", content: strings.Repeat("1|the engine is loud|5\n2|a cake in the oven|6\n", 3), rows: 6},
		{name: "a.dly", content: "USW00014922200001TMAX" + strings.Repeat("  123  S", 31) + "\n", refused: "GHCN-Daily"},
		{name: "a.vot", content: "<?xml version=\"1.0\"?>\n<VOTABLE version=\"1.4\"><RESOURCE/></VOTABLE>\n", refused: "VOTable"},
		{name: "a.fits", content: "SIMPLE  =                    T\x00", refused: "FITS"},
		{name: "a.nc", content: "CDF\x01\x00\x00", refused: "NetCDF"},
		{name: "a.dbf", content: string(dbf), refused: "dBase"},
		{name: "a.sdf", content: "mol\n  RDKit\n\n  1  0  0  0  0  0  0  0  0  0999 V2000\n    0.0 0.0 0.0 C\nM  END\n$$$$\n", refused: "(SDF)"},
		{name: "a.biom", content: `{"id": null, "format": "Biological Observation Matrix 1.0.0", "rows": [{"id": "a"}], "columns": [{"id": "s"}], "data": []}`, refused: "(BIOM)"},
		{name: "a.table", content: string(zipped("spec.xml", "<a/>", "data.xml", "<a/>", "data.bin", "\x00")), refused: "KNIME"},
		{name: "a.pages", content: string(zipped("Index/Document.iwa", "\x00\x01", "Metadata/x.plist", "b")), refused: "Apple's Pages"},
	})
}

// A text that most documents have in another form alone is read in that form. Titles and abstracts
// belong together, dates are no texts, and what words mean is the text of a dictionary.
func TestKindOwnersFields(t *testing.T) {
	const words = "the engine of a loud car stops on road %d"
	opinion := func(i int) string {
		plain := ""
		if i%3 == 0 {
			plain = fmt.Sprintf(words, i)
		}
		return fmt.Sprintf(`{"id": "a%d", "plain_text": %q, "html_with_citations": "<p>%s</p>"}`, i, plain, fmt.Sprintf(words, i))
	}
	paper := func(i int) string {
		abstract := fmt.Sprintf(words, i)
		if i%4 == 0 {
			abstract = ""
		}
		return fmt.Sprintf(`{"id": "a%d", "title": "pumps and valves %d", "abstract": %q}`, i, i, abstract)
	}
	entry := func(i int) string {
		return fmt.Sprintf(`{"word": "w%d", "pos": "noun", "senses": [{"glosses": ["%s"]}, {"glosses": ["a loud sound", "a noise"]}]}`, i, fmt.Sprintf(words, i))
	}
	checkKinds(t, []kind{
		{name: "a.jsonl", content: times(40, opinion), rows: 40, ids: true, note: "The texts are field html_with_citations"},
		{name: "a.jsonl", content: times(40, paper), rows: 40, ids: true, note: "The texts are fields title and abstract, joined"},
		{name: "a.jsonl", content: times(40, paper), opt: ReadOptions{TextColumn: []string{"abstract"}}, rows: 40, ids: true},
		{name: "a.jsonl", content: times(40, entry), rows: 40, note: "The texts are field senses"},
		{name: "a.csv", content: "What is good?,What is bad?,Sent,Score\n" + times(30, func(i int) string {
			return fmt.Sprintf("the team of room %d,the pay and the noise %d,2024-01-03 09:%02d,%d", i, i, i, i%7)
		}), refused: "columns 1 (What is good?), 2 (What is bad?): hold texts"},
		{name: "a.json", content: "{\n \"about\": \"Here is your data.\",\n \"chats\": {\n  \"list\": [\n   {\"name\": \"Bob\", \"messages\": [{\"id\": 1, \"text\": \"some words\"}]},\n   {\"name\": \"Cy\", \"messages\": [{\"id\": 2, \"text\": \"more words\"}]}\n  ]\n }\n}\n", refused: `jq -c '.["chats"]["list"][]["messages"][]'`},
		{name: "a.geojson", content: `{"type": "FeatureCollection", "features": [` + strings.Join(strings.Split(strings.TrimSpace(times(30, func(i int) string {
			return fmt.Sprintf(`{"type": "Feature", "properties": {"name": "County %d", "pop": %d, "size": %d.5}, "geometry": {"type": "Point", "coordinates": [1, %d]}}`, i, i*7%13, i*5%17, i)
		})), "\n"), ",\n") + "]}", refused: "for f in json.load(open('FILE'))['features']"},
		{name: "a.jsonl", content: strings.ReplaceAll(times(40, opinion), "html_with_citations", "notes"), rows: 40, ids: true, note: "The texts are field plain_text"},
		{name: "a.csv", content: "title,abstract\n" + times(40, func(i int) string { return fmt.Sprintf("pumps and valves %d,%s", i, fmt.Sprintf(words, i)) }), rows: 40, note: "The texts are columns 1 (title) and 2 (abstract), joined"},
		{name: "a.jsonl", content: strings.Repeat("{\"n\": 1, \"alert\": {\"severity\": 3}}\n", 3), refused: "pandas.json_normalize"},
	})
}

// Files that by their names say something of the others are no documents.
func TestInfoFiles(t *testing.T) {
	messages := `{"messages": [` + strings.TrimSuffix(times(20, func(i int) string { return fmt.Sprintf(`{"text": "the engine of car %d", "from": "Ann"},`, i) }), ",\n") + "]}"
	root := makeFolder(t, map[string]string{"a/messages.json": messages, "a/group_info.json": `{"name": "cars", "members": [{"name": "Ann"}]}`, "b/messages.json": messages, "b/group_info.json": `{"members": [{"name": "Ann"}]}`})
	c := must.Get(Read(t.Context(), root, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if c.Len() != 40 || len(c.ClassNames) != 2 || !strings.Contains(strings.Join(c.Notes, "\n"), "2 files are left out, by name about the others (first: a/group_info.json)") {
		t.Errorf("%d documents, classes %q, notes %q", c.Len(), c.ClassNames, c.Notes)
	}
}
