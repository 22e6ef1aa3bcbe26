import { type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Cli } from '../cli.ts'
import { CommandError, usageError } from '../errors.ts'

const DEFAULT_EDITOR = 'vi'

/** A text edited by the user. */
interface Edited {
  text: string
  file: string
  /** Removes the file. Call this method only when the edit is saved elsewhere. */
  discard(): Promise<void>
}

/**
 * Opens a text in $VISUAL, $EDITOR or, on a terminal, vi. Waits until the editor exits. The text is in a temporary file
 * that only the current user can read. Throws EDITOR_FAILED if the editor fails, and a usage error if neither an editor
 * nor a terminal is available. If `isBlocking` is true, blocks this process until the editor exits. Otherwise this
 * process would read the editor's keys.
 */
export async function editText(
  cli: Cli,
  { name, text, isBlocking = false }: { name: string; text: string; isBlocking?: boolean },
): Promise<Edited> {
  const editor = cli.env.VISUAL || cli.env.EDITOR || (cli.interactive ? DEFAULT_EDITOR : undefined)
  if (!editor) throw usageError(cli.t('option.noTerminalForAnEditor'))
  const folder = await mkdtemp(join(cli.env.TMPDIR || tmpdir(), 'tollgate-edit-'))
  const file = join(folder, name)
  const discard = () => rm(folder, { recursive: true, force: true })
  try {
    await writeFile(file, text, { mode: 0o600 })
    // The shell splits the editor's own arguments, as in EDITOR="code --wait". The editor's output must not go to a
    // piped stdout.
    const words = ['-c', `${editor} "$1"`, editor, file]
    const options: SpawnOptions = {
      stdio: ['inherit', process.stdout.isTTY ? 'inherit' : 2, 'inherit'],
      env: { ...cli.env },
      cwd: cli.folder,
    }
    const [code] = isBlocking
      ? [spawnSync('sh', words, options).status]
      : await once(spawn('sh', words, options), 'exit')
    if (code !== 0) throw new CommandError('EDITOR_FAILED', cli.t('option.theEditorFailed'))
    return { text: await readFile(file, 'utf8'), file, discard }
  } catch (error) {
    await discard()
    throw error
  }
}
