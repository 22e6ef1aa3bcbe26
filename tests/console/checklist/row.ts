/** A line of the specification, and the test that shows it. */
export interface CoverageRow {
  /** Document and section: A is accounts, access and settings, B is operations. */
  spec: string
  line: string
  /** `file › describe › test`, or `not built: why`. */
  test: string
}
