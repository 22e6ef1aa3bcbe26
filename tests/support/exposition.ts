import parse from 'parse-prometheus-text-format'

/** One sample line. */
export interface ExposedSample {
  readonly name: string
  readonly labels: Readonly<Record<string, string>>
  readonly value: number
}

const SAMPLE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-z_]+)="((?:[^"\\]|\\.)*)"/g

/**
 * Parses metrics. A port of Prometheus's parser validates the text; it drops the labels of histograms, so the samples are
 * parsed here.
 */
export function parseExposition(text: string): readonly ExposedSample[] {
  parse(text)
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? []
      if (name === '' || Number.isNaN(Number(value))) throw new Error(`no sample: ${line}`)
      const pairs = [...labels.matchAll(LABEL)].map(([, label = '', content = '']) => [label, content] as const)
      return { name, labels: Object.fromEntries(pairs), value: Number(value) }
    })
}

/** Sums all samples with a name and at least these labels. */
export function sumOf(samples: readonly ExposedSample[], name: string, labels: Record<string, string> = {}): number {
  return samples
    .filter((sample) => sample.name === name)
    .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
    .reduce((sum, { value }) => sum + value, 0)
}

/** Returns the metrics of a local gateway. */
export async function scrapeText(url: string): Promise<string> {
  const response = await fetch(`${url}/metrics`)
  if (!response.ok) throw new Error(`/metrics replied ${response.status}`)
  return response.text()
}
