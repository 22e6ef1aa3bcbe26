import cluster from 'node:cluster'
import { Command } from 'commander'
import type { Config } from '../../core/config.ts'
import { errorText } from '../../core/messages/messages.ts'
import { portNumber } from '../arguments.ts'
import type { Cli } from '../cli.ts'
import { EXIT } from '../errors.ts'
import { stopRequested } from '../signals.ts'

interface Options {
  port?: number
  host?: string
  workers?: string
}

export function serve(cli: Cli): Command {
  return new Command('serve')
    .option('--port <n>', 'port to listen on (default: 3000)', portNumber)
    .option('--host <address>', 'address to listen on (default: 0.0.0.0, which is all)')
    .option('--workers <n>', 'processes on this machine; auto = one for each core (default: 1)')
    .addHelpText('after', '\nExample:\n  tollgate serve --port 8080')
    .action(async (options: Options) => {
      const { toConfig } = await import('../settings.ts')
      const flags = { PORT: options.port?.toString(), HOST: options.host, WORKERS: options.workers }
      const config = toConfig(await cli.settings(flags))
      if (cluster.isWorker) return work(cli, config)
      const { portIsFree } = await import('../../server/gateway.ts')
      await portIsFree(config)
      if (config.workers > 1) return supervise(cli, config)
      return alone(cli, config)
    })
}

async function alone(cli: Cli, config: Config): Promise<void> {
  const stop = stopRequested()
  const { announce } = await import('./serve/announcement.ts')
  await run(cli, config, { stop, ready: (port, password) => announce(cli, { ...config, port, password }) })
}

/** A worker is told to stop by its supervisor; the terminal's Ctrl-C, which it hears too, means the same once more. */
async function work(cli: Cli, config: Config): Promise<void> {
  const { sendHeartbeats } = await import('./serve/heartbeats.ts')
  const stopHeartbeats = sendHeartbeats()
  try {
    await run(cli, config, { stop: stopRequested(() => {}), ready: () => {} })
  } finally {
    // Otherwise the channel to the supervisor would keep a worker alive that could not start or stop.
    stopHeartbeats()
    cluster.worker?.disconnect()
  }
}

async function run(
  cli: Cli,
  config: Config,
  { stop, ready }: { stop: Promise<void>; ready: (port: number, password: string | undefined) => void },
): Promise<void> {
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
      // What this process would write from now on is lost.
      logger.fatal({ err: error }, errorText(error, 'en'))
      process.exit(EXIT.failed)
    },
  })
  try {
    const { password } = await firstStart(toolkit, config)
    await toolkit.events.follow()
    const gateway = await startGateway({ config, toolkit, logger })
    ready(gateway.port, password)
    await stop
    logger.info('stopping')
    await gateway.close()
  } finally {
    await toolkit.close()
  }
}

/** Prepares the database once, then leaves the serving to workers. */
async function supervise(cli: Cli, config: Config): Promise<void> {
  const [{ openToolkit }, { firstStart }, { createLogger }, { superviseWorkers }, { announce }] = await Promise.all([
    import('../../core/toolkit.ts'),
    import('../root-user.ts'),
    import('../logger.ts'),
    import('./serve/workers.ts'),
    import('./serve/announcement.ts'),
  ])
  const toolkit = await openToolkit(config)
  const { password } = await firstStart(toolkit, config).finally(() => toolkit.close())
  cli.exitCode = await superviseWorkers({
    count: config.workers,
    stopGraceMs: config.stopGraceMs,
    logger: await createLogger(config.logLevel, cli.stderr),
    ready: (port) => announce(cli, { ...config, port, password }),
  })
}
