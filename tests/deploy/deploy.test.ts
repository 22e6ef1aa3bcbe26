import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { parseConfig, resolveSettings, SETTINGS } from '../../core/config.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDER = join(ROOT, 'docs', 'deploy')
const read = (name: string) => readFileSync(join(FOLDER, name), 'utf8')

/** Throws for a value that the gateway would reject at its start. */
function checkSettings(environment: Record<string, string>): void {
  const settings = Object.entries(environment).filter(([name]) => name !== 'NODE_ENV')
  for (const [name] of settings) expect(Object.keys(SETTINGS)).toContain(name)
  parseConfig(resolveSettings({ flags: {}, environment: Object.fromEntries(settings), file: {} }), 1)
}

interface Service {
  image?: string
  build?: { context: string; dockerfile: string }
  environment?: Record<string, string>
  volumes?: string[]
  depends_on?: string[] | Record<string, { condition: string }>
  healthcheck?: object
}
interface Compose {
  services: Record<string, Service>
  volumes: Record<string, null>
}

const compose = (name: string): Compose => parse(read(name), { merge: true })
const SET: Record<string, string> = { SITE: 'gateway.example', TOLLGATE_SECRET: 's'.repeat(64) }
/** As `docker compose` does: https://docs.docker.com/reference/compose-file/interpolation/ */
const interpolated = (text: string) =>
  text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string) => SET[name] ?? 'long-enough-1')

describe.each(['compose.yaml', 'compose.postgres.yaml'])('%s', (name) => {
  test('names only existing services, volumes and files', () => {
    const { services, volumes } = compose(name)
    for (const { image, build, depends_on, volumes: mounts = [] } of Object.values(services)) {
      expect(image).toMatch(/^[a-z]+(:\d+)?$/)
      if (build) expect(existsSync(resolve(FOLDER, build.context, build.dockerfile))).toBe(true)
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on ?? {})
      for (const other of needed) expect(services).toHaveProperty([other])
      for (const [place = '', target] of mounts.map((mount) => mount.split(':'))) {
        expect(target).toMatch(/^\//)
        if (place.startsWith('.')) expect(existsSync(resolve(FOLDER, place))).toBe(true)
        else expect(volumes).toHaveProperty([place])
      }
    }
    for (const [other, { condition }] of Object.values(services).flatMap(({ depends_on = [] }) =>
      Array.isArray(depends_on) ? [] : Object.entries(depends_on),
    ))
      if (condition === 'service_healthy') expect(services[other]).toHaveProperty('healthcheck')
  })

  test('gives each gateway valid settings', () => {
    const gateways = Object.values(compose(name).services).filter(({ image }) => image === 'tollgate')
    expect(gateways.length).toBeGreaterThan(0)
    for (const { environment = {} } of gateways)
      checkSettings(Object.fromEntries(Object.entries(environment).map(([key, text]) => [key, interpolated(text)])))
  })
})

test('two gateways share one PostgreSQL and one master key, and Caddy checks both for readiness', () => {
  const { services } = compose('compose.postgres.yaml')
  const gateways = Object.entries(services).filter(([, { image }]) => image === 'tollgate')
  expect(gateways).toHaveLength(2)
  const [first, second] = gateways.map(([, { environment }]) => environment)
  expect(first).toEqual(second)
  const caddy = read('Caddyfile')
  const [, upstreams = ''] = /reverse_proxy (.*) \{/.exec(caddy) ?? []
  expect(upstreams.split(' ')).toEqual(gateways.map(([name]) => `${name}:3000`))
  expect(caddy).toContain('health_uri /readyz')
  expect(caddy.match(/\{/g)?.length).toBe(caddy.match(/\}/g)?.length)
})

describe('the Dockerfile', () => {
  const KNOWN = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|STOPSIGNAL|HEALTHCHECK|ENTRYPOINT|CMD) /
  const steps = read('Dockerfile')
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '')

  test('has two stages with known instructions, and does not run as root', () => {
    for (const step of steps) expect(step).toMatch(KNOWN)
    expect(steps.filter((step) => step.startsWith('FROM '))).toHaveLength(2)
    const final = steps.slice(steps.findLastIndex((step) => step.startsWith('FROM ')))
    expect(final.filter((step) => step.startsWith('USER '))).toEqual(['USER node'])
    expect(final.at(-2)).toBe('ENTRYPOINT ["tollgate"]')
    const [, ...settings] = (final.find((step) => step.startsWith('ENV ')) ?? '').split(/\s+/)
    checkSettings(Object.fromEntries(settings.map((setting) => setting.split('=') as [string, string])))
  })

  test('copies the files of the package', () => {
    const copied = steps.flatMap((step) => /^COPY --from=build (.*) \S+$/.exec(step)?.[1]?.split(' ') ?? [])
    expect(copied.length).toBeGreaterThan(4)
    for (const path of copied) expect(existsSync(join(ROOT, path.replace('/build/', '')))).toBe(true)
  })

  test('has a health check that fails with the gateway', async () => {
    const [, command = '[]'] = /CMD (\[.*\])$/.exec(steps.find((step) => step.startsWith('HEALTHCHECK ')) ?? '') ?? []
    const [program, ...words]: string[] = JSON.parse(command)
    expect(program).toBe('node')
    let status = 200
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/healthz' ? status : 404).end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const env = { PORT: String((server.address() as AddressInfo).port) }
    const check = () => execa(process.execPath, words, { env, reject: false })
    expect((await check()).exitCode).toBe(0)
    status = 503
    expect((await check()).exitCode).toBe(1)
    server.close()
    server.closeAllConnections()
    expect((await check()).exitCode).toBe(1)
  })
})

describe('the systemd unit', () => {
  const unit = read('tollgate.service')

  test('starts the command with valid settings', () => {
    const environment = Array.from(unit.matchAll(/^Environment=(\w+)=(.*)$/gm), ([, name = '', value = '']) => [
      name,
      value,
    ])
    expect(environment.length).toBeGreaterThan(0)
    checkSettings(Object.fromEntries(environment))
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env tollgate serve$/m)
    const seconds = Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])
    expect(seconds).toBeGreaterThanOrEqual(Number(SETTINGS.STOP_GRACE.default) + 15)
  })

  test('is accepted by systemd', async ({ skip }) => {
    const verified = await execa('systemd-analyze', ['verify', '--man=no', join(FOLDER, 'tollgate.service')], {
      reject: false,
      all: true,
    })
    if (verified.code === 'ENOENT') skip('systemd-analyze is not on this machine')
    expect(verified).toMatchObject({ exitCode: 0, all: '' })
  })
})
