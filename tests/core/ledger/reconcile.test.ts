import { expect, test } from 'vitest'
import { dayAfter, dayAt, startOfDay } from '../../../core/ledger/reconcile/days.ts'
import { ExportError, type ProviderUsage, readExport } from '../../../core/ledger/reconcile/exports.ts'
import { reconcile } from '../../../core/ledger/reconcile/reconcile.ts'
import { bill, onBoth } from '../../support/toolkit.ts'

async function* rowsOf(csv: string) {
  const [titles = [], ...lines] = csv.split('\n').map((line) => line.split(';'))
  for (const [at, cells] of lines.entries()) {
    yield { line: at + 2, fields: Object.fromEntries(titles.map((title, n) => [title, cells[n]])) }
  }
}

async function read(csv: string, timeZone?: string) {
  const { usages, ...about } = await readExport(rowsOf(csv), { timeZone })
  const rows: ProviderUsage[] = []
  for await (const usage of usages) rows.push(usage)
  return { ...about, usages: rows }
}

test.each([
  {
    provider: 'OpenAI',
    csv: 'start_time;start_time_iso;model;num_model_requests;input_tokens;output_tokens\n1767225600;2026-01-01T00:00:00+00:00;gpt-4o-2024-08-06;3;1200;40',
    usage: { day: '2026-01-01', model: 'gpt-4o-2024-08-06', inputTokens: 1200, outputTokens: 40 },
  },
  {
    provider: 'OpenAI',
    csv: 'start_time;model;input_tokens;output_tokens\n1767225600;gpt-4o;"";40'.replaceAll('"', ''),
    usage: { day: '2026-01-01', model: 'gpt-4o', inputTokens: 0, outputTokens: 40 },
  },
  {
    provider: 'Anthropic',
    csv: `usage_date_utc;model_version;api_key;usage_input_tokens_no_cache;usage_input_tokens_cache_write_5m;usage_input_tokens_cache_write_1h;usage_input_tokens_cache_read;usage_output_tokens
2026-01-02;claude-sonnet-4-20250514;key;100;20;3;4000;55`,
    usage: { day: '2026-01-02', model: 'claude-sonnet-4-20250514', inputTokens: 4123, outputTokens: 55 },
  },
  {
    provider: 'Google',
    csv: `Billing account name;SKU description;Usage start date;Usage amount;Usage unit
a;Gemini 2.5 Flash GA - input token count for text;2026-01-03;1,500;count`,
    usage: { day: '2026-01-03', model: 'gemini-2.5-flash', inputTokens: 1500, outputTokens: 0 },
  },
  {
    provider: 'Google',
    csv: `SKU description;Usage start date;Usage amount;Usage unit;Cost ($)
Gemini 2.5 Pro - output token count for text;2026-01-03;20;count;$1,000.50`,
    usage: { day: '2026-01-03', model: 'gemini-2.5-pro', inputTokens: 0, outputTokens: 20, cost: 1000.5 },
  },
  {
    provider: 'OpenAI',
    csv: `start_time;end_time;start_time_iso;end_time_iso;amount_value;amount_currency;line_item;project_id
1767225600;1767312000;2026-01-01T00:00:00+00:00;2026-01-02T00:00:00+00:00;0.0123;usd;gpt-4o-2024-08-06, input;p`,
    usage: { day: '2026-01-01', model: 'gpt-4o-2024-08-06', cost: 0.0123 },
  },
  {
    provider: 'Anthropic',
    csv: `usage_date_utc;model;workspace;token_type;cost_usd
2026-01-02;Claude Haiku 4.5;Default;input_no_cache;0.05`,
    usage: { day: '2026-01-02', model: 'claude-haiku-4-5', cost: 0.05 },
  },
])('an export of $provider is recognized by its columns (%#)', async ({ provider, csv, usage }) => {
  const timeZone = provider === 'Google' ? 'America/Los_Angeles' : 'UTC'
  expect(await read(csv)).toEqual({ provider, timeZone, usages: [usage] })
})

test.each([
  ['1767225600', 'UTC', '2026-01-01'],
  ['1767225600', 'America/Los_Angeles', '2025-12-31'],
  ['2026-01-01T00:30:00+02:00', 'UTC', '2025-12-31'],
  ['2026-01-01 23:59', 'Asia/Shanghai', '2026-01-01'],
  ['2026-01-01', 'Asia/Shanghai', '2026-01-01'],
])('%s in the zone %s is the day %s, in any time zone of the machine', async (time, zone, day) => {
  const { usages } = await read(`start_time;model;input_tokens;output_tokens\n${time};m;1;1`, zone)
  expect(usages).toMatchObject([{ day }])
})

test.each([
  ['2026-03-08', 'America/Los_Angeles', 23],
  ['2026-11-01', 'America/Los_Angeles', 25],
  ['2026-03-29', 'Europe/Berlin', 23],
  ['2026-07-01', 'Asia/Kolkata', 24],
  ['2026-07-01', 'UTC', 24],
])('the day %s in %s has %d hours', (day, zone, hours) => {
  const begin = startOfDay(day, zone)
  expect(startOfDay(dayAfter(day), zone) - begin).toBe(hours * 3600)
  expect([dayAt(begin * 1000, zone), dayAt((begin - 1) * 1000, zone) < day]).toEqual([day, true])
})

test('rows unrelated to tokens are skipped', async () => {
  const { usages } = await read(`SKU description;Usage start date;Usage amount;Usage unit
Network egress;2026-01-03;5;count
Gemini 2.5 Pro - input character count;2026-01-03;5;1K characters`)
  expect(usages).toEqual([])
})

test.each([
  ['day;tokens\n2026-01-01;5', /OpenAI: start_time_iso, model, input_tokens, output_tokens/],
  ['start_time;model;input_tokens;output_tokens\nyesterday;m;1;1', /line 2: yesterday is not a date/],
  ['start_time;model;input_tokens;output_tokens\n1767225600;m;-1;1', /line 2: -1 is not a number of tokens or dollars/],
  [
    'start_time;model;input_tokens;output_tokens\n03/04/2026;m;1;1',
    /line 2: 03\/04\/2026 is not a date: expected 2026-01-31/,
  ],
  ['start_time;line_item;amount_value;amount_currency\n1767225600;m;5;eur', /line 2: 5 eur: only costs in USD/],
])('an invalid export is rejected with the next step (%#)', async (csv, message) => {
  await expect(read(csv)).rejects.toThrow(ExportError)
  await expect(read(csv)).rejects.toThrow(message)
})

onBoth('a reconciliation', (open) => {
  test('lists by model and day what the log lacks or has in excess', async () => {
    const now = Date.parse('2026-01-01T12:00Z') / 1000
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 1000 })
    const charge = async (modelName: string, promptTokens: number, completionTokens: number, channelId = 1) => {
      const hold = await fixture.toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1 })
      const charged = bill(person, { quota: 1, modelName, promptTokens, completionTokens, channelId })
      await fixture.toolkit.ledger.settle(hold, charged)
    }
    await charge('gpt-4o', 100, 10)
    await charge('gpt-4o-2024-08-06', 100, 10, 2)
    await charge('o3', 5, 5)
    await charge('claude-sonnet-4-0', 70, 7)
    const usage = (model: string, inputTokens: number, outputTokens: number, day = '2026-01-01') => ({
      day,
      model,
      inputTokens,
      outputTokens,
    })
    const usages = [
      usage('gpt-4o-2024-08-06', 150, 20),
      usage('gpt-4o-2024-08-06', 70, 0),
      usage('o3-2025-04-16', 5, 5),
      usage('o3-2025-04-16', 8, 0, '2026-01-02'),
    ]
    const db = fixture.toolkit.db.reader
    const quotaPerUnit = 4

    expect(await reconcile(db, usages, { quotaPerUnit })).toMatchObject([
      {
        day: '2026-01-01',
        model: 'gpt-4o',
        provider_input: 220,
        logged_input: 200,
        logged_output: 20,
        difference: 20,
        percent: 8.33,
      },
      { day: '2026-01-01', model: 'o3', difference: 0, percent: 0 },
      { day: '2026-01-02', model: 'o3', provider_input: 8, logged_input: 0, percent: 100 },
    ])
    expect(await reconcile(db, usages.slice(0, 1), { channelIds: [2], quotaPerUnit })).toMatchObject([
      { logged_input: 100 },
    ])
    expect(await reconcile(db, [], { quotaPerUnit })).toEqual([])
  })
  test('compares days of another time zone, and shows costs beside the charges of users', async () => {
    // Still 2025 in California.
    const now = Date.parse('2026-01-01T05:00Z') / 1000
    const fixture = await open({ now: () => now })
    const person = await fixture.user({ quota: 1000 })
    const hold = await fixture.toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 6 })
    await fixture.toolkit.ledger.settle(
      hold,
      bill(person, { quota: 6, modelName: 'gemini-2.5-pro', promptTokens: 70, completionTokens: 7 }),
    )
    const db = fixture.toolkit.db.reader
    const usage = { model: 'gemini-2.5-pro', inputTokens: 70, outputTokens: 7, cost: 0.1 }
    const zone = { timeZone: 'America/Los_Angeles', quotaPerUnit: 4 }

    expect(await reconcile(db, [{ ...usage, day: '2025-12-31' }], zone)).toMatchObject([
      { day: '2025-12-31', difference: 0, percent: 0, provider_cost: 0.1, charged: 1.5 },
    ])
    expect(await reconcile(db, [{ ...usage, day: '2026-01-01' }], zone)).toMatchObject([{ percent: 100, charged: 0 }])
    const costs = [0.1, 0.2].map((cost) => ({ day: '2025-12-31', model: 'gemini-2.5-pro', cost }))
    expect(await reconcile(db, costs, zone)).toMatchObject([
      { provider_input: null, difference: null, percent: null, provider_cost: 0.3, charged: 1.5 },
    ])
  })

  test('rejects an export whose days are too far apart to belong together', async () => {
    const { toolkit } = await open()
    const usages = ['0026-01-01', '2026-01-01'].map((day) => ({ day, model: 'm', cost: 1 }))
    await expect(reconcile(toolkit.db.reader, usages, { quotaPerUnit: 1 })).rejects.toThrow('more than 1100 days')
  })
})
