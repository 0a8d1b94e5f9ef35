Gem::Specification.new do |s|
  s.name = 'switchyard'
  s.version = '{{version}}'
  s.summary = 'Client of Switchyard: one interface to every AI model.'
  s.authors = ['Switchyard maintainers']
  s.homepage = '{{repository}}'
  s.license = 'MIT'
  s.required_ruby_version = '>= 3.0'
  s.files = Dir['lib/**/*.rb'] + %w[README.md LICENSE]
end
