import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { Command } from 'commander'
import { QUOTA_MAX } from '../../../core/input.ts'
import { wholeNumber } from '../../arguments.ts'
import type { Cli } from '../../cli.ts'
import { CommandError } from '../../errors.ts'

interface Options {
  name?: string
  quota: number
  count: number
  output?: string
}

const QUOTA_DEFAULT = 100_000
const COUNT_MAX = 10_000

export function redemptionCreate(cli: Cli): Command {
  return new Command('create')
    .description('Make codes that turn into quota; prints one a line')
    .option('--name <text>', 'what you will know them by, up to 20 characters (default: their worth)')
    .option('--quota <n>', 'what each is worth', wholeNumber({ min: 1, max: QUOTA_MAX }), QUOTA_DEFAULT)
    .option('--count <n>', `how many, up to ${COUNT_MAX}`, wholeNumber({ min: 1, max: COUNT_MAX }), 1)
    .option('--output <file>', 'write them to this new file, which only you can read')
    .addHelpText('after', '\nExample:\n  tollgate redemption create --name spring --quota 500000 --count 10')
    .action(async ({ name, quota, count, output }: Options) => {
      const [{ toolkit, actor }, { CODES_PER_CALL }] = await Promise.all([
        cli.open(),
        import('../../../core/redemption/redemption.ts'),
      ])
      const title = name ?? (await cli.format()).money(quota)
      const file = output === undefined ? undefined : openNew(output)
      const codes: string[] = []
      try {
        while (codes.length < count) {
          const batch = { name: title, quota, count: Math.min(CODES_PER_CALL, count - codes.length) }
          const made = await toolkit.redemption.create(actor, batch)
          codes.push(...made)
          if (file !== undefined) for (const code of made) writeSync(file, `${code}\n`)
        }
      } finally {
        if (file !== undefined) closeSync(file)
        if (output !== undefined && codes.length === 0) rmSync(output)
        // Also what was made before something failed: those codes are worth money.
        if (cli.json) cli.writeJson(codes)
        else if (file === undefined) for (const code of codes) cli.write(code)
      }
      if (file !== undefined) cli.note(`Wrote ${count} codes to ${output}.`)
    })
}

/** A file that does not exist yet, so that no earlier codes are lost, and that nobody else may read. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST')
      throw new CommandError('FILE_EXISTS', `${path} exists already: give another --output`, { cause })
    throw new CommandError('FILE_UNWRITABLE', `cannot write the --output file: ${message}`, { cause })
  }
}
