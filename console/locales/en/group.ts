import type { group as zh } from '../zh/group.ts'

export const group: typeof zh = {
  ratio: 'Ratio {{ratio}}x',
  named: '{{group}} · {{ratio}}x',
}
