import type { Readable } from 'node:stream'
import type { WriteStream } from 'node:tty'

export type Environment = Readonly<Record<string, string | undefined>>
export type Input = Readable & { isTTY?: boolean }
export type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>

/** The world that one command line runs in: that of this process, or one that a test has made. */
export interface Surroundings {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  /** Where relative paths start. */
  readonly folder: string
}
