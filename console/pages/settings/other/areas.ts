import type { LabeledOptionKey, SettingsArea } from '../options/area.ts'

export const OTHER_AREAS: readonly SettingsArea<LabeledOptionKey>[] = [
  { name: 'notice', fields: [{ key: 'Notice', kind: 'content', preview: 'page' }] },
  { name: 'name', fields: [{ key: 'SystemName', kind: 'text' }] },
  { name: 'logo', fields: [{ key: 'Logo', kind: 'text', placeholder: '/logo.png', preview: 'image' }] },
  { name: 'home', fields: [{ key: 'HomePageContent', kind: 'content', preview: 'page' }] },
  { name: 'about', fields: [{ key: 'About', kind: 'content', preview: 'page' }] },
  { name: 'footer', fields: [{ key: 'Footer', kind: 'content', preview: 'footer' }] },
]
