export const component = {
  format: 'Format',
  copyCode: 'Copy code',
  taskDone: 'Done',
  taskOpen: 'Not done',
  footnotes: 'Footnotes',
  footnoteBack: 'Back to reference {{number}}',
  loadImage: 'Load image from {{host}}',
  imageFailed: 'Image not loaded: {{reason}}',
}
