import { Command } from 'commander'
import { SETTINGS, type SettingOrigin } from '../../core/config.ts'
import type { Cli } from '../cli.ts'
import type { Column } from '../table.ts'

type Row = Pick<SettingOrigin, 'name' | 'value' | 'origin'> & { description: string }

const COLUMNS: readonly Column<Row>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'value', value: ({ value }) => value || '-', cut: true },
  { title: 'from', value: ({ origin }) => origin, tone: ({ origin }) => (origin === 'default' ? 'faint' : 'good') },
  { title: 'meaning', value: ({ description }) => description, cut: true },
]

export function config(cli: Cli): Command {
  return new Command('config')
    .addHelpText(
      'after',
      `
Flags win over the environment, that over tollgate.yaml, that over defaults.
In tollgate.yaml the names are in lower case, such as "port: 8080".

Example:
  tollgate config --json`,
    )
    .action(async () => {
      const [settings, { toConfig }] = await Promise.all([cli.settings(), import('../settings.ts')])
      const rows = settings.origins.map((setting): Row => {
        const { name, origin } = setting
        return { name, value: shown(setting), origin, description: SETTINGS[name].description }
      })
      await cli.print(rows, { columns: COLUMNS, empty: '' })
      if (settings.file) cli.note(`Settings file: ${settings.file}`)
      // Last, so that a wrong value is shown beside the others and then named.
      toConfig(settings)
    })
}

function shown({ value, secret }: SettingOrigin): string {
  if (secret) return value === '' ? '' : '(set)'
  return value.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:***@')
}
