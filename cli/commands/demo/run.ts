import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Config } from '../../../core/config.ts'
import { GatewayError } from '../../../core/errors.ts'
import { openToolkit } from '../../../core/toolkit.ts'
import { startSimulatedUpstream } from '../../../server/demo/upstream.ts'
import { portIsFree, startGateway } from '../../../server/gateway.ts'
import { curlExample, localUrlOf } from '../../address.ts'
import type { Cli } from '../../cli.ts'
import { createLogger } from '../../logger.ts'
import { aligned } from '../../output/display-width.ts'
import { stopRequested } from '../../run/signals.ts'
import { toConfig } from '../../settings.ts'
import { type Samples, writeSamples } from './samples.ts'

const TOKENS_PER_SECOND = 60
const FIRST_TOKEN_MS = 200

/** Runs a gateway with a simulated upstream and sample data. Deletes the gateway's folder at the end. */
export async function runDemo(cli: Cli, where: { port: number | undefined; host: string }): Promise<void> {
  const stop = stopRequested()
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-demo-'))
  // The event `exit` also occurs when a second Ctrl-C ends the process at once.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const config = await demoConfig(cli, { ...where, folder })
  await portIsFree(config)
  const upstream = await startSimulatedUpstream({ tokensPerSecond: TOKENS_PER_SECOND, firstTokenMs: FIRST_TOKEN_MS })
  try {
    const samples = await writeSamples(config, upstream.url)
    const toolkit = await openToolkit(config)
    try {
      await toolkit.events.follow()
      const gateway = await startGateway({ config, toolkit, logger: await createLogger(config.logLevel, cli.stderr) })
      announce(cli, { config, samples, url: localUrlOf({ host: config.host, port: gateway.port }) })
      await stop
      await gateway.close()
    } finally {
      await toolkit.close()
    }
  } finally {
    await upstream.close()
  }
}

/** Returns the effective settings, changed so that the demo does not affect another gateway on this machine. */
async function demoConfig(
  cli: Cli,
  { port, host, folder }: { port: number | undefined; host: string; folder: string },
): Promise<Config> {
  const databaseUrl = `sqlite:${join(folder, 'demo.db')}`
  const flags = { PORT: port?.toString(), HOST: host, DATABASE_URL: databaseUrl, STOP_GRACE: '1' }
  const settings = await cli.settings(flags)
  const isLogLevelSet = settings.origins.some(({ name, origin }) => name === 'LOG_LEVEL' && origin !== 'default')
  const config: Config = {
    ...toConfig(settings),
    dataFolder: folder,
    // Hides info lines, because people read the demo's output.
    ...(!isLogLevelSet && { logLevel: 'warn' }),
  }
  if (port !== undefined) return config
  const free = await portIsFree(config).then(
    () => true,
    (error) => {
      if (error instanceof GatewayError && error.code === 'PORT_IN_USE') return false
      throw error
    },
  )
  return free ? config : { ...config, port: 0 }
}

function announce(cli: Cli, { config, samples, url }: { config: Config; samples: Samples; url: string }): void {
  const { password, users, key, model } = samples
  if (cli.json) {
    cli.writeJson({ url, username: 'root', password, key, model })
    return
  }
  const [first] = users
  const secret = cli.t('run.withThePassword', { username: 'root', password })
  cli.write(`
${cli.t('run.aTollgateDemoIsRunning')}

${aligned([
  [cli.t('run.console'), url],
  [cli.t('run.signIn'), secret],
  ['', cli.t('run.orAsACustomer', { username: first })],
  [cli.t('token.apiKey'), key],
])}

${cli.t('run.tryItTitle')}

${curlExample({ url, key, model })}

${cli.t('run.inspectItFromAnotherTerminalTitle')}

tollgate log list --database '${config.databaseUrl}'

${cli.t('run.stopItWithCtrlC')}
`)
}
