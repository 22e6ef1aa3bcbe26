import { Command } from 'commander'
import type { Cli } from '../../cli.ts'

export function optionSet(cli: Cli): Command {
  return new Command('set')
    .description('Change an option; a running gateway takes it over within a second')
    .argument('<key>', 'name of the option, such as RetryTimes')
    .argument('<value>', 'new value; - reads it from stdin, for long texts and secrets')
    .addHelpText('after', '\nExample:\n  tollgate option set RetryTimes 2')
    .action(async (key: string, given: string) => {
      const value = given === '-' ? await cli.readInput() : given
      const [{ toolkit, actor }, { findOption }] = await Promise.all([
        cli.open(),
        import('../../../core/options/registry.ts'),
      ])
      await toolkit.options.set(actor, key, value)
      if (findOption(key)?.secret) return cli.report(`${key} is set.`, { key })
      const stored = await toolkit.options.read(actor, key)
      cli.report(`${key} is now ${shortened(stored)}`, { key, value: stored })
    })
}

const SHOWN_MAX = 60
function shortened(text: string): string {
  if (text === '') return 'empty'
  const line = text.replace(/\s+/g, ' ')
  return line.length > SHOWN_MAX ? `${line.slice(0, SHOWN_MAX)}…` : line
}
