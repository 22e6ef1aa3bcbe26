import type { Readable } from 'node:stream'
import type { WriteStream } from 'node:tty'

export type Environment = Readonly<Record<string, string | undefined>>
export type Input = Readable & { isTTY?: boolean }
export type Output = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>

/** Streams, environment and folder that a command uses: those of this process, or those of a test. */
export interface CliIo {
  readonly stdin: Input
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Environment
  /** Folder to which relative paths belong. */
  readonly folder: string
}
