import cluster from 'node:cluster'
import { setFlagsFromString } from 'node:v8'
import type { Config } from '../../core/config.ts'
import { errorText } from '../../core/messages/messages.ts'
import type { MetricsExchange } from '../../server/metrics/exchange.ts'
import type { Cli } from '../cli.ts'
import { Command } from '../command.ts'
import { EXIT } from '../errors.ts'
import { portNumber } from '../input/arguments.ts'
import { stopRequested } from '../run/signals.ts'

interface Options {
  port?: number
  host?: string
  workers?: string
}

export function serve(cli: Cli): Command {
  return new Command('serve', cli)
    .option('--port <n>', 'run.port', portNumber)
    .option('--host <address>', 'run.addressToListenOnDefault')
    .option('--workers <n>', 'run.processesOnThisMachine')
    .example('tollgate serve --port 8080')
    .action(async (options: Options) => {
      const { toConfig } = await import('../settings.ts')
      const flags = { PORT: options.port?.toString(), HOST: options.host, WORKERS: options.workers }
      const config = toConfig(await cli.settings(flags))
      if (cluster.isWorker) return runWorker(cli, config)
      const { portIsFree } = await import('../../server/gateway.ts')
      await portIsFree(config)
      if (config.workers > 1) return supervise(cli, config)
      return runAlone(cli, config)
    })
}

async function runAlone(cli: Cli, config: Config): Promise<void> {
  const stop = stopRequested()
  const { announce } = await import('./serve/announcement.ts')
  await run(cli, config, { stop, ready: (port, signIn) => announce(cli, { ...config, port, ...signIn }) })
}

/**
 * Runs a worker. A worker gets signals twice, from the supervisor and from the terminal, so it ignores the second
 * signal.
 */
async function runWorker(cli: Cli, config: Config): Promise<void> {
  const [{ sendHeartbeats }, { workerExchange }] = await Promise.all([
    import('./serve/heartbeats.ts'),
    import('./serve/metrics-worker.ts'),
  ])
  const stopHeartbeats = sendHeartbeats()
  try {
    await run(cli, config, { stop: stopRequested(() => {}), ready: () => {}, exchange: workerExchange })
  } finally {
    // An open IPC channel would keep this process alive after the worker has failed to start or stop.
    stopHeartbeats()
    cluster.worker?.disconnect()
  }
}

const EXIT_MS = 5_000
/** V8's default number of garbage collections after which V8 drops unused bytecode. */
const COLLECTIONS = 5

async function run(
  cli: Cli,
  config: Config,
  {
    stop,
    ready,
    exchange,
  }: {
    stop: Promise<void>
    ready: (port: number, signIn: { username: string; password: string | undefined }) => void
    exchange?: MetricsExchange
  },
): Promise<void> {
  keepCode({ collections: 1 })
  const [{ startGateway }, { openToolkit }, { firstStart }, { createLogger }] = await Promise.all([
    import('../../server/gateway.ts'),
    import('../../core/toolkit.ts'),
    import('../root-user.ts'),
    import('../logger.ts'),
  ])
  const logger = await createLogger(config.logLevel, cli.stderr)
  const toolkit = await openToolkit(config, {
    checkDatabase: true,
    onFailure: (error) => logger.error(error),
    onFatal(error) {
      // The database is damaged or was replaced, so further writes would be lost.
      logger.fatal({ err: error }, errorText(error, 'en'))
      process.exit(EXIT.failed)
    },
  })
  try {
    const { root, password } = await firstStart(toolkit, config)
    await toolkit.events.follow()
    const gateway = await startGateway({ config, toolkit, logger, ...(exchange && { exchange }) })
    keepCode({ collections: COLLECTIONS })
    ready(gateway.port, { username: root.username, password })
    await stop
    logger.info('stopping')
    await gateway.close()
  } finally {
    await toolkit.close()
  }
  // A socket that is still open must not keep the process alive.
  setTimeout(() => process.exit(), EXIT_MS).unref()
}

/**
 * Sets the number of garbage collections after which V8 drops the bytecode of a function that has not run since. V8
 * compiles the function again when it is called. The number is low during the start, because most code of the start
 * runs only once. Otherwise an idle gateway would keep 10 MB of such code.
 */
function keepCode({ collections }: { collections: number }): void {
  setFlagsFromString(`--bytecode-old-age=${collections}`)
}

/** Prepares the database once, then starts the workers. */
async function supervise(cli: Cli, config: Config): Promise<void> {
  const [{ openToolkit }, { firstStart }, { createLogger }, { superviseWorkers }, { announce }] = await Promise.all([
    import('../../core/toolkit.ts'),
    import('../root-user.ts'),
    import('../logger.ts'),
    import('./serve/workers.ts'),
    import('./serve/announcement.ts'),
  ])
  const toolkit = await openToolkit(config)
  const { root, password } = await firstStart(toolkit, config).finally(() => toolkit.close())
  cli.exitCode = await superviseWorkers({
    count: config.workers,
    stopGraceMs: config.stopGraceMs,
    logger: await createLogger(config.logLevel, cli.stderr),
    ready: (port) => announce(cli, { ...config, port, username: root.username, password }),
  })
}
