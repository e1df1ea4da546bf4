package corpus

import (
	"archive/zip"
	"bytes"
	"strings"

	"github.com/eigenmap/eigenmap/internal/pattern"
)

// ownerKinds are files of text of banks, laboratories, archives and games that are not read, as
// textKinds has others: by their first line.
var ownerKinds = []struct{ first, say string }{
	{`^(OFXHEADER:|<\?OFX |<OFX>)`, "holds payments (OFX); take what they are for out, with sed -nE 's/^ *<NAME>([^<]*).*/\\1/p' FILE > FILE.txt" + eachLine},
	{`^!(Type|Account|Option):`, "holds payments (QIF); take whom they are to out, with sed -n 's/^P//p' FILE > FILE.txt" + eachLine},
	{`^(\{1:F01.*)?:20:`, "holds payments (MT940); take what they are for out, with awk '{sub(/\\r$/, \"\")} /^[:-]/ && t {print t; t = \"\"} /^:86:/ {t = substr($0, 5)} !/^[:-]/ && t {t = t $0} END {if (t) print t}' FILE | sed -E -e 's/^[0-9]+//' -e 's/\\?[0-9]{2}/ /g' > FILE.txt" + eachLine},
	{`^BEGIN:VCARD`, "holds addresses (vCard); take the notes on them out, with sed -n 's/^NOTE[^:]*://p' FILE > FILE.txt" + eachLine},
	{`^\[Event "`, "holds games of chess (PGN); write the moves of each on a line, with awk 'BEGIN {RS = \"\"} !/^\\[/ {gsub(/\\r?\\n/, \" \"); print}' FILE > FILE.txt" + eachLine},
	{`^(CHARSET|AXIS-VERSION)="`, "is a table of PC-Axis; write it as CSV, for instance with python -c \"from pyaxis import pyaxis; pyaxis.parse('FILE', encoding='ISO-8859-1')['DATA']" + inCSV},
	{`^BEGIN IONS`, "holds spectra of masses (MGF); write the intensities of each in a row, for instance with python -c \"import numpy; from pyteomics import mgf; numpy.savetxt('FILE.csv', [numpy.histogram(s['m/z array'], 1000, (0, 2000), weights=s['intensity array'])[0] for s in mgf.read('FILE')], delimiter=',')\""},
	{`^\S+ \S+ \S+ \S+ [0129] \S+( 0 0)* [ACGT] [ACGT]( [ACGT] [ACGT]| 0 0){4}`, "holds genotypes (PLINK); write counts of alleles, with plink --file FILE --recode A, without .ped in its name, and name the .raw file that it writes"},
	{`(?i)^@problemname\s`, "holds time series (.ts of UCR and sktime); write a row for each, with sed -e '/^[@#]/d' -e 's/:\\([^:]*\\)$/,\\1/' FILE > FILE.csv, and give ‹label-column› -1"},
	{`^-?[\d.]+( [\d.]+)*( '\S*?)? ?\|\w*( [A-Za-z_]\w*:-?[\d.]+){2}`, "holds numbers for Vowpal Wabbit; write them as a table, for instance with python -c \"import re, pandas; pandas.DataFrame([{'label': l.split()[0], **{k: float(v) for k, v in re.findall(r'([^\\s:|]+):(-?[\\d.]+)', l)}} for l in open('FILE')]).fillna(0).to_csv('FILE.csv', index=False)\""},
	{`^-?[\d.]+( [\d.]+)* '[^\s|]*\|\S* |^-?[\d.]+ \|\w* ([^|]* )?[A-Za-z_]\w*:-?[\d.]+ (.* )?[A-Za-z_]\w*:-?[\d.]+( |$)|^-?[\d.]+ \|[A-Za-z]\w* [^|]*\|[A-Za-z]\w* (.* )?[A-Za-z_]\w*:-?[\d.]+( |$)`, "is a file of Vowpal Wabbit; write its texts with their classes, as fastText has them, with sed -E -e 's/^(-?[0-9.]+)[^|]*/__label__\\1 /' -e 's/\\|[^ ]*//g' FILE > FILE.txt"},
	{`^[A-Z]{2}[A-Z0-9-]{9}\d{6}[A-Z]{4}[ -][ \d]{4}`, "holds weather in columns of fixed width (GHCN-Daily); write a row for each month, for instance with python -c \"import pandas; pandas.read_fwf('FILE', widths=[11, 4, 2, 4] + [5, 3] * 31, header=None, na_values=-9999).iloc[:, [0, 1, 2, 3] + list(range(4, 66, 2))].to_csv('FILE.csv', index=False, header=False)\""},
	{`<VOTABLE[\s>]`, "is a table of astronomy (VOTable)" + byAstropy},
}

const byAstropy = "; write it as CSV, for instance with python -c \"from astropy.table import Table; Table.read('FILE').write('FILE.csv')\""

// ownerMagic is what other files of owners begin with, beside fileKinds.
var ownerMagic = []struct{ magic, say string }{
	{"##TITLE=", "is one spectrum (JCAMP-DX); make a table with a row for each, for instance with python -c \"import glob, jcamp, numpy; numpy.savetxt('spectra.csv', [jcamp.jcamp_readfile(f)['y'] for f in sorted(glob.glob('*.jdx'))], delimiter=',')\""},
	{"SIMPLE  =", "is a file of astronomy (FITS)" + byAstropy},
	{"CDF\x01", netCDF}, {"CDF\x02", netCDF}, {"CDF\x05", netCDF},
}

const netCDF = "is a file of NetCDF; write it as a table, for instance with python -c \"import xarray; xarray.open_dataset('FILE').to_dataframe().reset_index()" + inCSV

var (
	// molecules is the fourth line of a file of molecules.
	molecules = pattern.Lazy(`^[^\n]*\n[^\n]*\n[^\n]*\n[ \d]{6}.*V[23]000\s*\n`)
	biom      = pattern.Lazy(`"format"\s*:\s*"Biological Observation Matrix`)
)

// ownerKind is fileKind of files of owners; "" of another.
func ownerKind(head []byte) string {
	for _, k := range ownerMagic {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return k.say
		}
	}
	switch {
	case len(head) > 32 && dbfLooks(head):
		return "is a table of dBase; write it as CSV, for instance with python -c \"import dbfread, pandas; pandas.DataFrame(iter(dbfread.DBF('FILE')))" + inCSV
	case molecules().Match(head):
		return "holds molecules (SDF); write a table of their properties, for instance with python -c \"from rdkit.Chem import PandasTools; PandasTools.LoadSDF('FILE', molColName=None)" + inCSV
	case biom().Match(head[:min(len(head), 1024)]):
		return "is a table of organisms (BIOM), whose columns are the samples; write these as rows, for instance with python -c \"import biom; biom.load_table('FILE').to_dataframe(dense=True).T.to_csv('FILE.csv')\""
	}
	return ""
}

// dbfLooks reports whether bytes are the header of a table of dBase: a version, a day, and fields
// of 32 bytes each that end with a carriage return.
func dbfLooks(head []byte) bool {
	if bytes.IndexByte([]byte("\x03\x30\x31\x83\x8b\xf5"), head[0]) < 0 || head[2] < 1 || head[2] > 12 || head[3] < 1 || head[3] > 31 {
		return false
	}
	length := int(head[8]) | int(head[9])<<8
	return length > 64 && length%32 == 1 && length <= len(head) && head[length-1] == '\r'
}

// ownerArchive is officeKind of archives that other programs write for one table or document.
func ownerArchive(z *zip.Reader) string {
	met := make(map[string]bool)
	for _, f := range z.File {
		met[f.Name] = true
		if strings.HasPrefix(f.Name, "Index/") && strings.HasSuffix(f.Name, ".iwa") || f.Name == "Index.zip" {
			return "is a document of Apple's Pages, Numbers or Keynote; export a table as .xlsx or .csv, or a text as .docx and put it into a folder with the others"
		}
	}
	if met["spec.xml"] && met["data.xml"] {
		return "is a table of KNIME; write it as CSV there, with the node CSV Writer"
	}
	return ""
}
