import type { SettingName, SettingOrigin } from '../../core/config.ts'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import type { Column } from '../output/column.ts'
import type { Target } from '../target.ts'
import { ENGLISH } from '../texts.ts'
import { configApply } from './config/apply.ts'
import { configDiff } from './config/diff.ts'
import { configExport } from './config/export.ts'
import { configPlan } from './config/plan.ts'

interface Row {
  name: SettingName | 'SERVER' | 'PROFILE' | 'TOKEN' | 'PROFILES'
  value: string
  origin: SettingOrigin['origin'] | 'profile'
  description: string
}

const COLUMNS: readonly Column<Row>[] = [
  { name: 'name', value: ({ name }) => name },
  { name: 'value', value: ({ value }) => value || '-', cut: true },
  {
    name: 'from',
    value: ({ origin }, { label }) => label(origin),
    tone: ({ origin }) => (origin === 'default' ? 'faint' : 'good'),
  },
  { name: 'meaning', value: ({ name }, { t }) => t(`setting.${name}`), cut: true },
]

export function config(cli: Cli): Command {
  return new Command('config', cli)
    .addCommand(configExport(cli))
    .addCommand(configPlan(cli))
    .addCommand(configApply(cli))
    .addCommand(configDiff(cli))
    .note('doctor.precedenceFlagsEnvironmentTollgateYaml')
    .example('tollgate config', 'tollgate config --json')
    .action(async () => {
      const target = await cli.target({ anonymous: true })
      if (target.kind === 'remote') return cli.print(await connection(cli, target), { columns: COLUMNS, empty: '' })
      const [settings, { toConfig }] = await Promise.all([cli.settings(), import('../settings.ts')])
      const rows = settings.origins.map((setting): Row => {
        const { name, origin } = setting
        return { name, value: displayValue(setting), origin, description: ENGLISH.t(`setting.${name}`) }
      })
      await cli.print(rows, { columns: COLUMNS, empty: '' })
      if (settings.file) cli.note(cli.t('doctor.settingsFile', { file: settings.file }))
      // The validation comes last, so that an invalid value is printed before its error.
      toConfig(settings)
    })
}

/** Returns the rows for the target server and its profile. */
async function connection(cli: Cli, target: Extract<Target, { kind: 'remote' }>): Promise<Row[]> {
  const { profilesPath } = await import('../profiles.ts')
  const { server, profile } = target
  const origin = profile !== undefined ? 'profile' : cli.env.TOLLGATE_SERVER ? 'environment' : 'flag'
  const token = server.token === undefined ? '' : '(set)'
  return [
    { name: 'SERVER', value: server.url, origin, description: ENGLISH.t('setting.SERVER') },
    { name: 'PROFILE', value: profile ?? '', origin, description: ENGLISH.t('setting.PROFILE') },
    {
      name: 'TOKEN',
      value: token,
      origin: profile !== undefined ? 'profile' : 'environment',
      description: ENGLISH.t('setting.TOKEN'),
    },
    {
      name: 'PROFILES',
      value: profilesPath(cli.env),
      origin: cli.env.XDG_CONFIG_HOME ? 'environment' : 'default',
      description: ENGLISH.t('setting.PROFILES'),
    },
  ]
}

function displayValue({ value, secret }: SettingOrigin): string {
  if (secret) return value === '' ? '' : '(set)'
  return value.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:***@')
}
