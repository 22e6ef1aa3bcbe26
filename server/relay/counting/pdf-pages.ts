/**
 * Maximum number of pages that are counted. No upstream reads more pages, so the exact number of further pages does not
 * matter.
 */
const PAGES_COUNTED_MAX = 5000
/**
 * Maximum number of `/Page` markers, and of `/Count` markers, in a file. If a file has more, its pages are not counted.
 * Usual documents have fewer.
 */
const MARKS_MAX = 20_000
/** A PDF name with an escape. Any letter of a name can be written as `#` and two hex digits. */
const ESCAPED_NAME = /\/[A-Za-z]{0,8}#[4-7][0-9A-Fa-f]/
const SLASH = 0x2f
const LIST_END = 0x5d
const REFERENCE_END = 0x52
const PAGE = Buffer.from('/Page')
const KIDS = Buffer.from('/Kids')
const COUNT = Buffer.from('/Count')
const TYPE = Buffer.from('/Type')
const DIGITS_MAX = 7

/**
 * Returns the number of pages of a PDF: the largest of three counts, because a document lists its pages in three ways.
 * Returns undefined if the pages cannot be counted, for example because they are compressed or encrypted. Creates no
 * string per marker, because a megabyte may contain 200,000 markers.
 */
export function countPages(pdf: Buffer): number | undefined {
  if (pdf.includes('/ObjStm') || pdf.includes('/Encrypt')) return undefined
  let pages = 0
  let listedPages = 0
  let statedPages = 0
  let pageMarks = 0
  let countMarks = 0
  let listEnd = 0
  for (let at = 0; at < pdf.length; at++) {
    if (pdf[at] !== SLASH) continue
    if (hasAt(pdf, at, PAGE)) {
      if (++pageMarks > MARKS_MAX) return undefined
      if (!isLetter(pdf[at + PAGE.length]) && isTypeBefore(pdf, at)) pages += 1
    } else if (hasAt(pdf, at, COUNT)) {
      if (++countMarks > MARKS_MAX) return undefined
      statedPages = Math.max(statedPages, numberAfter(pdf, at + COUNT.length))
    } else if (at >= listEnd && hasAt(pdf, at, KIDS)) {
      const close = pdf.indexOf(LIST_END, at)
      listEnd = close < 0 ? pdf.length : close
      listedPages += countReferences(pdf, at, listEnd)
    }
    if (pages > PAGES_COUNTED_MAX || listedPages > PAGES_COUNTED_MAX) return Math.max(pages, listedPages)
  }
  const pagesMax = Math.max(pages, listedPages, statedPages)
  if (pagesMax > PAGES_COUNTED_MAX) return pagesMax
  return pages === 0 || ESCAPED_NAME.test(pdf.toString('latin1')) ? undefined : pagesMax
}

function hasAt(bytes: Buffer, at: number, name: Buffer): boolean {
  for (let offset = 1; offset < name.length; offset++) if (bytes[at + offset] !== name[offset]) return false
  return true
}

/** Whether the name at a position is the value of `/Type`. */
function isTypeBefore(pdf: Buffer, at: number): boolean {
  let end = at
  while (isBlank(pdf[end - 1])) end -= 1
  const start = end - TYPE.length
  return pdf[start] === SLASH && hasAt(pdf, start, TYPE)
}

/** Skips blanks and returns the number after them, or 0 if there is none. */
function numberAfter(pdf: Buffer, start: number): number {
  let at = start
  while (isBlank(pdf[at])) at += 1
  if (at === start) return 0
  let value = 0
  for (let digits = 0; digits < DIGITS_MAX && isDigit(pdf[at]); digits++)
    value = value * 10 + (pdf[at++] as number) - 0x30
  return value
}

/** Returns the number of references in a list. A reference ends with a digit, blanks and an R. */
function countReferences(pdf: Buffer, start: number, end: number): number {
  let count = 0
  for (let at = start; at < end && count <= PAGES_COUNTED_MAX; at++) {
    if (pdf[at] !== REFERENCE_END || !isBlank(pdf[at - 1])) continue
    let digit = at - 1
    while (digit > start && isBlank(pdf[digit])) digit -= 1
    if (isDigit(pdf[digit])) count += 1
  }
  return count
}

const isDigit = (byte = 0): boolean => byte >= 0x30 && byte <= 0x39
const isLetter = (byte = 0): boolean => (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a
const isBlank = (byte = 0): boolean => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d) || byte === 0xa0
