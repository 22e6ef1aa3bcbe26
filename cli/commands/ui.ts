import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { usageError } from '../errors.ts'

/** Calls that hang do not keep somebody waiting who has left. */
const GRACE_MS = 1000

export function ui(cli: Cli): Command {
  return new Command('ui')
    .description('All of it on one screen: channels, tokens, users, codes, logs, options')
    .addHelpText('after', '\nIts keys are on its last line; ? shows all of them.')
    .addHelpText('after', '\nExamples:\n  tollgate ui\n  tollgate ui --profile local')
    .action(async () => {
      if (cli.json)
        throw usageError(cli.say`a screen is no JSON document: leave --json out, or ask one of the other commands`)
      if (!cli.interactive || cli.stdout.isTTY !== true) {
        throw usageError(cli.say`there is no terminal to draw on: tollgate ui needs one, the other commands do not`)
      }
      cli.isPatient = false
      // Its development build keeps a record of every picture, which grows as long as the screen is open.
      process.env.NODE_ENV ??= 'production'
      const { takeTerminal } = await import('../ui/terminal.ts')
      // Before anything that takes time: nobody looks at a blank screen, and no key that is struck meanwhile is echoed.
      const terminal = takeTerminal(cli)
      terminal.canvas.write(` ${cli.text('Loading …')}`)
      try {
        const { runScreens } = await import('../ui/run.tsx')
        cli.exitCode = await runScreens(cli, terminal)
      } finally {
        terminal.restore()
      }
      setTimeout(() => process.exit(cli.exitCode), GRACE_MS).unref()
    })
}
