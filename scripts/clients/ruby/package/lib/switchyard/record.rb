require 'json'
require 'time'

module Switchyard
  # An object of the contract. Fields that are nil are not sent.
  class Record
    def initialize(**values)
      values.each do |name, value|
        raise ArgumentError, "#{self.class} has no field #{name}" unless self.class::FIELDS.key?(name)

        instance_variable_set(:"@#{name}", value)
      end
    end

    # As it is in JSON, without the fields that are nil.
    def to_h
      self.class::FIELDS.each_with_object({}) do |(name, (json_name, _type)), hash|
        value = instance_variable_get(:"@#{name}")
        hash[json_name] = value.is_a?(Time) ? value.iso8601(3) : value unless value.nil?
      end
    end

    def to_json(*options)
      to_h.to_json(*options)
    end

    def ==(other)
      other.class == self.class && other.to_h == to_h
    end

    # What JSON stands for, by the name of its type; what is of no known type stays as it is.
    # @api private
    def self.read(type, value)
      item_type = type[/\AArray<(.*)>\z/, 1]
      return value&.map { |item| read(item_type, item) } if item_type
      return Time.iso8601(value) if type == 'Time' && value

      kind = type.match?(/\A[A-Z]\w*\z/) && Switchyard.const_defined?(type, false) ? Switchyard.const_get(type) : nil
      kind = union_member(kind, value) if kind&.const_defined?(:TYPES, false)
      value.is_a?(Hash) && kind.is_a?(Class) && kind < Record ? kind.from(value) : value
    end

    def self.union_member(union, value)
      name = value.is_a?(Hash) ? union::TYPES[value[union::PROPERTY]] : nil
      name && Switchyard.const_get(name)
    end
    private_class_method :union_member

    # @api private
    def self.from(json)
      present = self::FIELDS.select { |_name, (json_name, _type)| json.key?(json_name) }
      new(**present.to_h { |name, (json_name, type)| [name, Record.read(type, json[json_name])] })
    end
  end
end
