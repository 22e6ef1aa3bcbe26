import { closeSync, writeSync } from 'node:fs'
import type { SettingName, SettingOrigin } from '../../core/config.ts'
import type { ConfigurationChange } from '../../core/configuration/schema.ts'
import { withoutPassword } from '../../core/db/without-password.ts'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { EXIT } from '../errors.ts'
import type { Column } from '../output/column.ts'
import { profilesPath } from '../profiles.ts'
import { plainVerb } from '../run/verbs.ts'
import type { Target } from '../target.ts'
import { ENGLISH } from '../texts.ts'
import { configApply } from './config/apply.ts'
import { printPlan } from './config/print.ts'

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

/** Exit code of `config plan` and `config diff` if there are changes. */
const CHANGES_EXIT_CODE = EXIT.usage

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
      if (target.kind === 'remote') return cli.print(connectionRows(cli, target), { columns: COLUMNS, empty: '' })
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

/** Returns the rows about the target server and its profile. */
function connectionRows(cli: Cli, target: Extract<Target, { kind: 'remote' }>): Row[] {
  const { server, profile } = target
  const origin = profile !== undefined ? 'profile' : cli.env.TOLLGATE_SERVER ? 'environment' : 'flag'
  const token = server.token === undefined ? '' : '(set)'
  const tokenOrigin = profile !== undefined ? 'profile' : 'environment'
  const path = profilesPath(cli.env)
  const pathOrigin = cli.env.XDG_CONFIG_HOME ? 'environment' : 'default'
  return [
    { name: 'SERVER', value: server.url, origin, description: ENGLISH.t('setting.SERVER') },
    { name: 'PROFILE', value: profile ?? '', origin, description: ENGLISH.t('setting.PROFILE') },
    { name: 'TOKEN', value: token, origin: tokenOrigin, description: ENGLISH.t('setting.TOKEN') },
    { name: 'PROFILES', value: path, origin: pathOrigin, description: ENGLISH.t('setting.PROFILES') },
  ]
}

function displayValue({ value, secret }: SettingOrigin): string {
  if (secret) return value === '' ? '' : '(set)'
  return withoutPassword(value)
}

const configDiff = plainVerb({
  name: 'diff',
  exitsWithChanges: true,
  description: 'moving.showDriftBetweenTheGateway',
  examples: ['tollgate config diff gateway.yaml'],
  syntax: (command) => command.argument('<path>', 'moving.yamlFile'),
  async run(cli, path: string) {
    const { readConfigDocument } = await import('./config/document.ts')
    const { document, withPosition } = await readConfigDocument(cli, path)
    const { toolkit, actor } = await cli.open()
    const { changes } = await withPosition(() => toolkit.configuration.plan(actor, { document, prune: true }))
    if (changes.length > 0) cli.exitCode = CHANGES_EXIT_CODE
    if (cli.json) return cli.writeJson({ changes })
    if (changes.length === 0) return cli.write(cli.t('moving.theGatewayMatchesTheFile'))
    cli.write('--- file')
    cli.write('+++ gateway')
    for (const change of changes) for (const line of linesOf(change)) cli.write(line)
  },
})

/** Returns a change as lines of a diff from the file to the gateway. A plan has the opposite direction. */
function linesOf({ section, name, action, fields }: ConfigurationChange): string[] {
  if (action === 'create') return [`- ${section}.${name}`]
  if (action === 'delete') return [`+ ${section}.${name}`]
  return [
    `  ${section}.${name}`,
    ...fields.flatMap(({ field, before, after }) => [
      ...(after === undefined ? [] : [`-   ${field}: ${JSON.stringify(after)}`]),
      ...(before === undefined ? [] : [`+   ${field}: ${JSON.stringify(before)}`]),
    ]),
  ]
}

const SCHEMA = '# yaml-language-server: $schema=./config.schema.json'

const configExport = plainVerb({
  name: 'export',
  description: 'moving.exportTheConfigurationAsYaml',
  examples: ['tollgate config export current.yaml'],
  syntax: (command) => command.argument('[file]', 'moving.newFile').option('--force', 'list.replaceAnExistingFile'),
  async run(cli, file: string | undefined, { force = false }: { force?: boolean }) {
    const [{ stringify }, { toolkit, actor }] = await Promise.all([import('yaml'), cli.open()])
    const document = await toolkit.configuration.export(actor)
    if (file === undefined || file === '-') {
      if (cli.json) return cli.writeJson(document)
      return cli.write(stringify(document, { lineWidth: 0 }).trimEnd())
    }
    const { writeWhole } = await import('../output/output-file.ts')
    writeWhole(cli, { path: file, force }, `${SCHEMA}\n${stringify(document, { lineWidth: 0 })}`)
    const references = [...JSON.stringify(document).matchAll(/"env:(TOLLGATE_(?:CHANNEL|OPTION)_\w+)"/g)].map(
      ([, name]) => name,
    )
    cli.report(cli.t('moving.wroteTheConfigurationTo', { file }), { file, references })
    if (references.length > 0)
      cli.note(cli.t('moving.setBeforePlanning', { references: [...new Set(references)].join(', ') }))
  },
})

const configPlan = plainVerb({
  name: 'plan',
  exitsWithChanges: true,
  description: 'moving.showWhatApplyWouldChange',
  examples: ['tollgate config plan gateway.yaml --out plan.json'],
  syntax: (command) =>
    command
      .argument('<path>', 'moving.yamlFile')
      .option('--prune', 'moving.deleteEntriesThatTheFileDoes')
      .option('--out <file>', 'moving.saveThePlan'),
  async run(cli, path: string, { prune = false, out }: { prune?: boolean; out?: string }) {
    const { readConfigDocument } = await import('./config/document.ts')
    const { document, withPosition } = await readConfigDocument(cli, path)
    const { toolkit, actor } = await cli.open()
    const plan = await withPosition(() => toolkit.configuration.plan(actor, { document, prune }))
    const savedPlan = { ...plan, prune }
    if (out !== undefined) {
      const { openNew } = await import('../output/output-file.ts')
      const descriptor = openNew(cli, out, '--out')
      writeSync(descriptor, `${JSON.stringify(savedPlan, null, 2)}\n`)
      closeSync(descriptor)
    }
    if (cli.json) cli.writeJson(savedPlan)
    else await printPlan(cli, plan)
    if (plan.changes.length > 0) cli.exitCode = CHANGES_EXIT_CODE
  },
})
