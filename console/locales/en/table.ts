import type { table as zh } from '../zh/table.ts'

export const table: typeof zh = {
  columns: 'Columns',
  shownColumns: 'Columns shown',
  export: 'Export CSV',
  exportCut: 'Only the first {{count}} rows were exported',
  exportBroken: 'Only the first {{count}} rows were exported: {{reason}}',
  scroll: '{{name}} table, scrolls sideways',
  total: '{{total}} in total',
  failed: 'Could not be loaded',
  retry: 'Try again',
  selectRow: 'Select row {{row}}',
  selectAll: 'Select all on this page',
  rowDetails: 'Details of row {{row}}',
  selected: '{{count}} selected',
  pageSize: 'Rows per page',
  filters: 'Filters',
  noMatch: 'Nothing matches',
  noMatchHint: 'Try fewer filters.',
  clearFilters: 'Clear filters',
  filtersOn: 'Filters ({{count}})',
}
