/** Cells of CSV, as RFC 4180 has them and as no spreadsheet takes for a formula. */
import { describe, expect, it } from 'vitest';
import { csvCell, csvLine } from '../../../../../src/tenants/metering/exports/export-usage.ts';

describe('a cell', () => {
  it.each<[string | number | null, string]>([
    ['plain', 'plain'],
    ['', ''],
    [null, ''],
    [-1.5, '-1.5'],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\r\nlines', '"two\r\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    [' =1', "' =1"],
    ['＝1', "'＝1"],
    ['=HYPERLINK("http://x","y")', '"\'=HYPERLINK(""http://x"",""y"")"'],
    ['a=b', 'a=b'],
    ['{"a":"=1"}', '"{""a"":""=1""}"'],
  ])('%j is written as %j', (value, text) => {
    expect(csvCell(value)).toBe(text);
  });

  it('stands in a line that ends as the RFC says', () => {
    expect(csvLine(['a', 1, null])).toBe('a,1,\r\n');
  });
});
