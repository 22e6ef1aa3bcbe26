import { Command } from 'commander'
import { SETTINGS, type SettingOrigin } from '../../core/config.ts'
import type { Cli } from '../cli.ts'
import type { Column } from '../output/column.ts'
import type { Target } from '../target.ts'
import { configApply } from './config/apply.ts'
import { configDiff } from './config/diff.ts'
import { configExport } from './config/export.ts'
import { configPlan } from './config/plan.ts'

interface Row {
  name: string
  value: string
  origin: SettingOrigin['origin'] | 'profile'
  description: string
}

const COLUMNS: readonly Column<Row>[] = [
  { title: 'name', value: ({ name }) => name },
  { title: 'value', value: ({ value }) => value || '-', cut: true },
  {
    title: 'from',
    value: ({ origin }, { text }) => text(origin),
    tone: ({ origin }) => (origin === 'default' ? 'faint' : 'good'),
  },
  { title: 'meaning', value: ({ description }, { text }) => text(description), cut: true },
]

export function config(cli: Cli): Command {
  return new Command('config')
    .addCommand(configExport(cli))
    .addCommand(configPlan(cli))
    .addCommand(configApply(cli))
    .addCommand(configDiff(cli))
    .addHelpText(
      'after',
      `
Precedence: flags, environment, tollgate.yaml, defaults. Names in tollgate.yaml are in lower case, such as "port: 8080". For a
server, shows its address and the profile instead: its settings are on its machine.

Examples:
  tollgate config
  tollgate config --json`,
    )
    .action(async () => {
      const target = await cli.target({ anonymous: true })
      if (target.kind === 'remote') return cli.print(await connection(cli, target), { columns: COLUMNS, empty: '' })
      const [settings, { toConfig }] = await Promise.all([cli.settings(), import('../settings.ts')])
      const rows = settings.origins.map((setting): Row => {
        const { name, origin } = setting
        return { name, value: displayValue(setting), origin, description: SETTINGS[name].description }
      })
      await cli.print(rows, { columns: COLUMNS, empty: '' })
      if (settings.file) cli.note(cli.say`Settings file: ${settings.file}`)
      // Validates last, so that an invalid value is printed before its error.
      toConfig(settings)
    })
}

/** Rows for the target server and the signed-in user. */
async function connection(cli: Cli, target: Extract<Target, { kind: 'remote' }>): Promise<Row[]> {
  const { profilesPath } = await import('../profiles.ts')
  const { server, profile } = target
  const origin = profile !== undefined ? 'profile' : cli.env.TOLLGATE_SERVER ? 'environment' : 'flag'
  const token = server.token === undefined ? '' : '(set)'
  return [
    { name: 'SERVER', value: server.url, origin, description: 'gateway that commands use' },
    { name: 'PROFILE', value: profile ?? '', origin, description: 'name that it was signed in to by' },
    {
      name: 'TOKEN',
      value: token,
      origin: profile !== undefined ? 'profile' : 'environment',
      description: 'access token that commands use',
    },
    {
      name: 'PROFILES',
      value: profilesPath(cli.env),
      origin: cli.env.XDG_CONFIG_HOME ? 'environment' : 'default',
      description: 'file that contains the profiles',
    },
  ]
}

function displayValue({ value, secret }: SettingOrigin): string {
  if (secret) return value === '' ? '' : '(set)'
  return value.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:***@')
}
