import type { Readable } from 'node:stream'
import type { WriteStream } from 'node:tty'

export type Environment = Readonly<Record<string, string | undefined>>
export type Input = Readable & { isTTY?: boolean }
export type OutputStream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>

/** Streams, environment and folder that a command uses: those of this process, or those of a test. */
export interface CliIo {
  readonly stdin: Input
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Environment
  /** Folder where relative paths start. */
  readonly folder: string
}
