import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { scrapeText } from '../support/exposition.ts'
import { openTestRelay } from '../support/gateway.ts'
import { completion, sendJson, usage } from '../support/hand-made-upstream.ts'

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../docs/deploy/monitoring/${name}`, import.meta.url)), 'utf8')

interface Rule {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string }
}
interface Panel {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  targets: { expr: string }[]
}

const rules = () => parse(read('alerts.yaml')).groups.flatMap(({ rules }: { rules: Rule[] }) => rules) as Rule[]
const panels = () => JSON.parse(read('grafana-dashboard.json')).panels as Panel[]

/** Names of metrics in a query. */
const namesIn = (expr: string) => expr.match(/\b(tollgate|process|nodejs)_[a-z0-9_]+/g) ?? []

test('alerts and dashboard name only existing metrics', async () => {
  const { url, chat } = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(1, 1))))
  await chat({ model: 'test-model', messages: [{ role: 'user', content: 'hi' }] })
  const text = await scrapeText(url)
  const known = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  const queries = [...rules(), ...panels().flatMap(({ targets }) => targets)].map(({ expr }) => expr)
  const used = queries.flatMap(namesIn).map((name) => name.replace(/_bucket$/, ''))
  expect(used.length).toBeGreaterThan(20)
  expect(used.filter((name) => !known.has(name))).toEqual([])
})

test('every rule has a query with balanced brackets, a time, a severity and a summary', () => {
  for (const { alert, expr, for: time, labels, annotations } of rules()) {
    expect(alert).toMatch(/^Tollgate\w+$/)
    for (const [open, close] of ['()', '{}', '[]'])
      expect(expr.split(open as string)).toHaveLength(expr.split(close as string).length)
    expect(time).toMatch(/^\d+[smh]$/)
    expect(['warning', 'critical']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/\.$/)
  }
})

test('panels have unique ids and do not overlap', () => {
  const all = panels()
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  const places = all.map(({ gridPos: { x, y } }) => `${x},${y}`)
  expect(new Set(places).size).toBe(all.length)
  for (const { gridPos } of all) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24)
})
