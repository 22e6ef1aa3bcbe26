import type { Readable } from 'node:stream'
import type { WriteStream } from 'node:tty'

export type Environment = Readonly<Record<string, string | undefined>>
export type Input = Readable & { isTTY?: boolean }
export type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>

/** Streams, environment and folder of one command line: of this process, or of a test. */
export interface CliIo {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  /** Base of relative paths. */
  readonly folder: string
}
