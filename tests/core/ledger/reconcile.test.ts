import { expect, test } from 'vitest'
import { ExportError, readExport } from '../../../core/ledger/reconcile/exports.ts'
import { reconcile } from '../../../core/ledger/reconcile/reconcile.ts'
import { bill, onBoth } from '../../support/toolkit.ts'

const read = (csv: string) => {
  const [titles = [], ...lines] = csv.split('\n').map((line) => line.split(';'))
  return readExport(
    lines.map((cells, at) => ({
      line: at + 2,
      fields: Object.fromEntries(titles.map((title, n) => [title, cells[n]])),
    })),
  )
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
])('an export of $provider is known by its columns', ({ provider, csv, usage }) => {
  expect(read(csv)).toEqual({ provider, usages: [usage] })
})

test('what is not about tokens is passed over', () => {
  const { usages } = read(`SKU description;Usage start date;Usage amount
Network egress;2026-01-03;5`)
  expect(usages).toEqual([])
})

test.each([
  ['day;tokens\n2026-01-01;5', /OpenAI: start_time_iso, model, input_tokens, output_tokens/],
  ['start_time;model;input_tokens;output_tokens\nyesterday;m;1;1', /line 2: yesterday is no date/],
  ['start_time;model;input_tokens;output_tokens\n1767225600;m;-1;1', /line 2: -1 is no count of tokens/],
])('a file that is no export is refused with what to do (%#)', (csv, message) => {
  expect(() => read(csv)).toThrow(ExportError)
  expect(() => read(csv)).toThrow(message)
})

onBoth('a reconciliation', (open) => {
  test('shows by model and day what the log lacks or has too much', async () => {
    const now = Date.parse('2026-01-01T12:00Z') / 1000
    const world = await open({ now: () => now })
    const person = await world.user({ quota: 1000 })
    const charge = async (modelName: string, promptTokens: number, completionTokens: number, channelId = 1) => {
      const hold = await world.toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota: 1 })
      const charged = bill(person, { quota: 1, modelName, promptTokens, completionTokens, channelId })
      await world.toolkit.ledger.settle(hold, charged)
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
    const db = world.toolkit.db.reader

    expect(await reconcile(db, usages)).toMatchObject([
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
    expect(await reconcile(db, usages.slice(0, 1), { channelIds: [2] })).toMatchObject([{ logged_input: 100 }])
    expect(await reconcile(db, [])).toEqual([])
  })
})
